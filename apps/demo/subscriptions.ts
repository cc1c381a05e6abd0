/** `npm run demo -- subscriptions`: the life of a subscription, played on each gateway. */
import { startSimulatedCard } from '#data/simulated/gateways/card.ts';
import { startSimulatedWallet } from '#data/simulated/gateways/wallet.ts';
import { expectThat } from './print.ts';
import { startWith } from './service.ts';
import { playCard } from './subscriptions/play-card.ts';
import { playWallet } from './subscriptions/play-wallet.ts';
import { createStage } from './subscriptions/stage.ts';

export const subscriptions = async (): Promise<void> => {
  await using started = new AsyncDisposableStack();
  const card = started.adopt(await startSimulatedCard(), ({ close }) => close());
  const wallet = started.adopt(await startSimulatedWallet(), ({ close }) => close());
  const variables = { ...card.variables, ...wallet.variables, RATE_LIMIT_SCALE: '100' };
  const service = started.adopt(await startWith(variables), ({ stop }) => stop());
  console.log(`started ${service.url} with simulated gateways`);
  const permissions = 'user_info=FULL,subscription=FULL';
  const { key } = await service.ops('devkey', 'create', '--name', 'demo', '--permissions', permissions);
  expectThat(typeof key === 'string', 'no developer key was created');
  await playCard(await createStage(service, 'card', key), card);
  await playWallet(await createStage(service, 'wallet', key), { wallet, card });
  console.log('Every step passed.');
};
