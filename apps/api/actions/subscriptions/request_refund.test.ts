import { afterAll, beforeAll, expect, test } from 'vitest';
import { paymentWrites } from '#data/postgres/subscriptions/payments.ts';
import { runSql } from '#test/support/sql.ts';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

const asAdmin = (userId: number) =>
  runSql(scene.api.context.postgres)`INSERT INTO va_admin (user_id, scope) VALUES (${userId}, 'FULL')`;

test('An administrator gives a payment back, a user cannot (M-4.8.a9, M-4.8.g2, M-4.8.g3)', async () => {
  const { signed, id, user } = await scene.subscribe();
  const refund = async (data: Record<string, unknown>, by = signed) =>
    by.change('request_refund', { subscription_id: id, reason: 'Bought twice', ...data });
  expect(codeOf(await refund({}))).toEqual([403, 'FORBIDDEN']);
  for (const gateway of ['wallet', 'store'] as const) {
    const other = await scene.subscribe({ gateway });
    const answer = await refund({ subscription_id: other.id }, other.signed);
    expect([...codeOf(answer), typeof answer.body['manage_url']]).toEqual([
      422,
      'OPERATION_NOT_SUPPORTED',
      'string',
    ]);
  }
  const admin = await scene.subscribe();
  expect(codeOf(await refund({}, admin.signed))).toEqual([404, 'SUBSCRIPTION_NOT_FOUND']);
  await asAdmin(admin.user.id);
  expect(codeOf(await refund({}, admin.signed))).toEqual([409, 'NOTHING_TO_REFUND']);
  const now = scene.api.context.clock.now();
  const order = { number: '7001', status: 'COMPLETE', total: '9.99', currency: 'EUR', paidAt: now };
  scene.card.orders.set('7001', order);
  const owner = { userId: user.id, subscriptionId: id, gateway: '2checkout' };
  const payment = { transactionId: '7001', kind: 'payment', status: 'COMPLETED', method: null } as const;
  await scene.api.context.postgres.transaction((tx) =>
    paymentWrites(tx).put(owner, { ...payment, amountMinor: 999, currency: 'EUR', paidAt: now }, now),
  );
  expect(codeOf(await refund({ amount: '10.00' }, admin.signed))).toEqual([409, 'NOTHING_TO_REFUND']);
  for (const wrong of [{ amount: 'all' }, { amount: -1 }, { reason: 'x'.repeat(201) }])
    expect(codeOf(await refund(wrong, admin.signed))).toEqual([400, 'INVALID_FIELD']);
  expect(codeOf(await refund({ reason: '' }, admin.signed))).toEqual([400, 'MISSING_FIELD']);
  expect((await refund({ amount: 9.99 }, admin.signed)).body).toEqual({
    success: true,
    apiVersion: '1.3.6',
    refund_id: 'R-7001',
    status: 'PENDING',
  });
  expect(codeOf(await refund({}, admin.signed))).toEqual([422, 'GATEWAY_REFUSED']);
  expect(scene.card.charges).toEqual([{ reference: '7001', what: 'refund' }]);
});
