/** `npm run demo -- subscriptions`: the life of a subscription, played on each gateway. */
import { startSimulatedCard } from '#data/simulated/gateways/card.ts';
import { expectThat } from './print.ts';
import { startWith } from './service.ts';
import { playCard } from './subscriptions/card.ts';
import { createStage } from './subscriptions/stage.ts';

export const subscriptions = async (): Promise<void> => {
  const card = await startSimulatedCard();
  try {
    const service = await startWith({ ...card.variables, RATE_LIMIT_SCALE: '100' });
    console.log(`started ${service.url} with simulated gateways`);
    try {
      const permissions = 'user_info=FULL,subscription=FULL';
      const { key } = await service.ops('devkey', 'create', '--name', 'demo', '--permissions', permissions);
      expectThat(typeof key === 'string', 'no developer key was created');
      await playCard(await createStage(service, 'card', key), card);
      console.log('Every step passed.');
    } finally {
      await service.stop();
    }
  } finally {
    await card.close();
  }
};
