import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { Subscribed, SubscriptionScene } from '#test/support/subscriptions.ts';

let scene: SubscriptionScene;
let devKey: string;
beforeAll(async () => {
  scene = await subscriptionScene();
  devKey = await scene.key();
});
afterAll(() => scene.close());

const call = (name: string, { user }: Pick<Subscribed, 'user'>, data: object = {}) =>
  scene.api.call(name, { token: user.token, devKey, data });

test('The history has the form of the signed endpoint (G-19, M-4.8.q2)', async () => {
  const mine = await scene.subscribe();
  const order = { status: 'COMPLETE', total: '9.99', currency: 'EUR', paidAt: scene.api.context.clock.now() };
  scene.card.licences.get(mine.reference)?.orders.push('8001');
  scene.card.orders.set('8001', { ...order, number: '8001' });
  const { body } = await call('getPaymentHistory', mine, { limit: 5, subscriptionId: mine.id });
  expect(body).toMatchObject({
    total_count: 1,
    limit: 5,
    payments: [{ transaction_id: '8001', amount: 9.99 }],
  });
  const signed = await mine.signed.call('payment_history', { data: { limit: 5, subscription_id: mine.id } });
  expect(signed.body).toEqual(body);
  for (const from of ['2026', '2026-02-30', '0000-01-01'])
    expect(codeOf(await call('getPaymentHistory', mine, { from })), from).toEqual([400, 'INVALID_FIELD']);
});
