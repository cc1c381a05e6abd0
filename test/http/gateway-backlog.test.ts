import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedIn } from '../support/console.ts';
import { subscriptionScene } from '../support/subscriptions.ts';
import type { SubscriptionScene } from '../support/subscriptions.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

test('Parked messages and refused orders, if any, appear in status.json and on the console’s home page', async () => {
  const { api, card } = scene;
  const operator = await signedIn(api, 'ada');
  const shown = async () => {
    const { gateways } = (await (await api.fetch('/status.json')).json()) as {
      gateways: { gateway: string; parkedMessages: number; refusedOrders: number }[];
    };
    const found = gateways.find(({ gateway }) => gateway === '2checkout');
    const { text } = await operator.get('');
    const alerts = [/href="\/console\/webhooks\/list\?state=parked"/, /[1-9]\d* refused in 7 days/];
    return [found?.parkedMessages, found?.refusedOrders, ...alerts.map((alert) => alert.test(text))];
  };
  expect(await shown()).toEqual([0, 0, false, false]);
  const mine = await scene.subscribe();
  const now = api.context.clock.now();
  const order = {
    number: '1',
    reference: 'UNKNOWN',
    userId: 0,
    productCode: 'EFB_PRO_M',
    status: 'COMPLETE',
  };
  const money = { total: '9.99', currency: 'EUR', paidAt: now, endsAt: now, at: now };
  await api.fetch('/api/webhooks/2checkout/ipn', { method: 'POST', body: card.ipn({ ...order, ...money }) });
  card.licences.delete(mine.reference);
  await mine.signed.change('cancel_subscription', { subscription_id: mine.id });
  await scene.work();
  expect(await shown()).toEqual([1, 1, true, true]);
});
