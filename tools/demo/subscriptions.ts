/** `npm run demo -- subscriptions`: the life of a subscription, played on each gateway. */
import type { GatewayKind } from '#domain/subscriptions/gateway.ts';
import { startSimulatedCard } from '#tools/simulated-gateways/card.ts';
import { startSimulatedStore } from '#tools/simulated-gateways/store.ts';
import { startSimulatedWallet } from '#tools/simulated-gateways/wallet.ts';
import { expectThat } from './print.ts';
import { startWith } from './service.ts';
import { playCard } from './subscriptions/play-card.ts';
import { playStore } from './subscriptions/play-store.ts';
import { playTrouble } from './subscriptions/play-trouble.ts';
import { playWallet } from './subscriptions/play-wallet.ts';
import { createStage } from './subscriptions/stage.ts';

export const subscriptions = async (): Promise<void> => {
  await using started = new AsyncDisposableStack();
  const card = started.adopt(await startSimulatedCard(), ({ close }) => close());
  const wallet = started.adopt(await startSimulatedWallet(), ({ close }) => close());
  const store = started.adopt(await startSimulatedStore(), ({ close }) => close());
  const gateways = { ...card.variables, ...wallet.variables, ...store.variables };
  // Without flights, feeds would only use CPU time.
  const variables = { ...gateways, RATE_LIMIT_SCALE: '100', LANES: 'durable,compute' };
  const service = started.adopt(await startWith(variables), ({ stop }) => stop());
  console.log(`started ${service.url} with simulated gateways`);
  const permissions = ['--user-info', 'FULL', '--subscription', 'FULL'];
  const { key } = await service.ops('devkey', 'create', '--name', 'demo', ...permissions);
  expectThat(typeof key === 'string', 'no developer key was created');
  const admin = await createStage(service, 'card', key);
  await service.ops('va', 'admin', 'add', '--email', admin.email, '--scope', 'FULL');
  await playTrouble(await createStage(service, 'card', key), { card, url: service.url, admin });
  const stageOf = (kind: GatewayKind) => createStage(service, kind, key);
  // Mostly each waits for the next second, since gateways state times in whole seconds.
  await Promise.all([
    stageOf('card').then((stage) => playCard(stage, card)),
    stageOf('wallet').then((stage) => playWallet(stage, { wallet, card })),
    stageOf('store').then((stage) => playStore(stage, store)),
  ]);
  console.log('Every step passed.');
};
