import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';
import { dayMs } from '#domain/time.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

test('The history has the gateway’s live orders, or earlier reported ones in the same form while the gateway is down (M-4.8.a3, M-4.8.h1, M-2.10.h1, M-2.10.h2, M-2.10.h3, M-2.10.h4, M-2.10.h5, M-2.10.h6, M-2.10.h7, M-2.10.h8, M-2.10.h9, M-2.10.h10, M-2.10.h11, M-2.10.h12, M-2.10.h13, M-2.10.h14, M-2.10.h15, M-2.10.h16)', async () => {
  const mine = await scene.subscribe();
  const { signed, id, user, reference } = mine;
  const now = scene.api.context.clock.now();
  const licence = scene.card.licences.get(reference);
  licence?.orders.push('9001');
  scene.card.orders.set('9001', {
    number: '9001',
    status: 'COMPLETE',
    total: '9.99',
    currency: 'EUR',
    paidAt: new Date(now.getTime() - dayMs),
  });
  const history = async () => (await signed.call('payment_history')).body;
  const live = await history();
  expect(live).toEqual({
    success: true,
    apiVersion: '1.3.6',
    message: expect.stringContaining('live'),
    user_id: user.id,
    payments: [
      {
        id: expect.any(Number),
        subscription_id: id,
        amount: 9.99,
        currency: 'EUR',
        payment_method: 'CC',
        payment_date: '2026-09-15 12:00:00',
        status: 'COMPLETED',
        transaction_id: '9001',
        gateway: '2checkout',
      },
    ],
    total_count: 1,
    limit: 50,
    offset: 0,
    has_more: false,
  });
  await scene.card.setMode('down');
  const local = await history();
  // A live read for display stores nothing.
  expect(local).toMatchObject({ payments: [], message: expect.stringContaining('does not answer') });
  await scene.paid(mine, { transactionId: '9001', at: new Date(now.getTime() - dayMs), reportedAt: now });
  const reported = [{ ...(live['payments'] as object[])[0], id: expect.any(Number), payment_method: 'card' }];
  expect((await history())['payments']).toEqual(reported);
  await scene.card.setMode('ok');
  // The gateway's list of orders lags behind a refund that it has reported.
  await scene.paid(mine, {
    transactionId: '9001',
    status: 'REFUNDED',
    reportedAt: new Date(now.getTime() + 1),
  });
  expect((await history())['payments']).toMatchObject([{ status: 'REFUNDED' }]);
});

test('Of the orders reported by the gateway only pending ones and the newest are read again (M-4.8.a3)', async () => {
  const mine = await scene.subscribe();
  const now = scene.api.context.clock.now();
  for (const [index, status] of (['COMPLETED', 'PENDING', 'COMPLETED', 'COMPLETED'] as const).entries()) {
    const number = `91${index}`;
    const at = new Date(now.getTime() - (9 - index) * dayMs);
    scene.card.licences.get(mine.reference)?.orders.push(number);
    const order = { number, status: 'COMPLETE', total: '9.99', currency: 'EUR', paidAt: at };
    scene.card.orders.set(number, order);
    await scene.paid(mine, { transactionId: number, status, at });
  }
  const before = scene.card.requests.length;
  const { body } = await mine.signed.call('payment_history');
  const asked = scene.card.requests.slice(before).filter(({ path }) => path.includes('/orders/'));
  expect(asked).toHaveLength(2);
  expect(new Set(asked.map(({ path }) => path.split('/').at(-2)))).toEqual(new Set(['911', '913']));
  expect(
    (body['payments'] as Record<string, unknown>[]).map((one) => [one['transaction_id'], one['status']]),
  ).toEqual(['913', '912', '911', '910'].map((number) => [number, 'COMPLETED']));
});

test('Pages, dates and the subscription narrow the list, and limits are clamped (M-4.8.a3, A-30, M-2.10.h16, M-8.18)', async () => {
  const mine = await scene.subscribe({ gateway: 'wallet' });
  const { signed, id, user } = mine;
  const other = await scene.subscribe({ user, gateway: 'wallet' });
  const day = (n: number) => new Date(Date.UTC(2026, 7, n, 23, 30));
  for (let n = 1; n <= 5; n += 1)
    await scene.paid(n === 5 ? other : mine, {
      transactionId: `T${user.id}-${n}`,
      amountMinor: n * 100,
      at: day(n),
    });
  const amounts = async (data: Record<string, unknown>) => {
    const { body } = await signed.call('payment_history', { data });
    const { payments, limit, offset, has_more: hasMore, total_count: total } = body;
    return [(payments as { amount: number }[]).map(({ amount }) => amount), limit, offset, hasMore, total];
  };
  expect(await amounts({ limit: 2 })).toEqual([[5, 4], 2, 0, true, 5]);
  expect(await amounts({ limit: 2, offset: 4 })).toEqual([[1], 2, 4, false, 5]);
  expect(await amounts({ limit: 0 })).toEqual([[5], 1, 0, true, 5]);
  expect((await amounts({ limit: 101 }))[1]).toBe(100);
  expect(await amounts({ from: '2026-08-02', to: '2026-08-03' })).toEqual([[3, 2], 50, 0, false, 2]);
  expect((await amounts({ subscription_id: other.id }))[0]).toEqual([5]);
  for (const data of [{ from: 'yesterday' }, { to: '2026-13-01' }, { subscription_id: 'x' }])
    expect(codeOf(await signed.call('payment_history', { data }))).toEqual([400, 'INVALID_FIELD']);
  expect(codeOf(await signed.change('payment_history'))).toEqual([405, 'METHOD_NOT_ALLOWED']);
  const stranger = await scene.subscribe();
  const foreign = await stranger.signed.call('payment_history', { data: { subscription_id: id } });
  expect(foreign.body['payments']).toEqual([]);
});
