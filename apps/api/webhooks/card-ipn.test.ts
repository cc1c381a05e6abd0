import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import type { Order } from '#tools/simulated-gateways/card-messages.ts';
import { twiceInAnyOrder } from '#test/support/any-order.ts';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';
import { dayMs } from '#domain/time.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene({ WEBHOOK_LEGACY_PATHS: '/ipn.php=2checkout/ipn, /old/lcn=card/lcn' });
});
afterAll(() => scene.close());

const path = '/api/webhooks/2checkout/ipn';
const now = () => scene.api.context.clock.now();
const after = (days: number) => new Date(now().getTime() + days * dayMs);

let orders = 1_000;
const orderOf = (userId: number, change: Partial<Order> = {}): Order => {
  orders += 1;
  return {
    number: String(orders),
    reference: `LIC${orders}`,
    userId,
    productCode: 'EFB_PRO_M',
    status: 'COMPLETE',
    total: '9.99',
    currency: 'EUR',
    paidAt: now(),
    endsAt: after(30),
    at: now(),
    ...change,
  };
};

const post = (body: string, to = path) =>
  scene.api.fetch(to, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });

const levelOf = async (userId: number) =>
  (await scene.api.running.services.identities.byUserId(userId))?.entitlement.level;

const held = (userId: number) =>
  scene.api.context.postgres.db.any<Record<string, unknown>>(
    sql`SELECT * FROM subscription WHERE user_id = ${userId} ORDER BY id`,
  );
const eventsOf = (reference: string) =>
  scene.api.context.postgres.db.any<{ state: string; reason: string | null }>(
    sql`SELECT state, reason FROM gateway_event WHERE reference = ${reference} ORDER BY id`,
  );

test('A payment is answered with its receipt and gives access once, however often it is sent (M-6.1, G-23, M-3.s1)', async () => {
  const user = await scene.api.user();
  const order = orderOf(user.id);
  const body = scene.card.ipn(order);
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(body)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
  const texts = new Set(await Promise.all(answers.map((answer) => answer.text())));
  const ipnDate = '20260916140000';
  const source = `1116EFB subscription14${ipnDate}1420260916120000`;
  const hash = createHmac('sha3-256', 'simulated-card-secret-key').update(source).digest('hex');
  expect([...texts]).toEqual([`<sig algo="sha3-256" date="20260916120000">${hash}</sig>`]);
  expect(await levelOf(user.id)).toBe(0);
  await scene.work();
  expect(await levelOf(user.id)).toBe(3);
  expect(await held(user.id)).toMatchObject([
    {
      reference: order.reference,
      gateway: '2checkout',
      pricePaidMinor: 999,
      cyclesCompleted: 1,
      autoRenew: true,
    },
  ]);
  expect(await eventsOf(order.reference)).toHaveLength(1);
});

test('A forged, altered, foreign or oversized message has no effect (M-6.1)', async () => {
  const user = await scene.api.user();
  const body = scene.card.ipn(orderOf(user.id));
  for (const wrong of ['', 'x', body.replace('9.99', '0.99'), body.replaceAll(/_256=\w+/g, '_256=')])
    expect((await post(wrong)).status).toBe(401);
  const large = await post(`A=${'x'.repeat(600_000)}`);
  expect(codeOf({ status: large.status, body: (await large.json()) as Record<string, unknown> })).toEqual([
    413,
    'PAYLOAD_TOO_LARGE',
  ]);
  await scene.work();
  expect(await held(user.id)).toEqual([]);
});

test('A GET is answered without effect, other methods are refused, and older paths do the same (M-6.6, G-23)', async () => {
  for (const probed of [path, '/api/webhooks/card/ipn', '/ipn.php', '/old/lcn']) {
    const answer = await scene.api.fetch(probed);
    expect([probed, answer.status]).toEqual([probed, 200]);
  }
  expect((await scene.api.fetch(path, { method: 'PUT', body: 'x' })).status).toBe(405);
  expect((await post('', '/api/webhooks/nobank/ipn')).status).toBe(404);
  const user = await scene.api.user();
  expect((await post(scene.card.ipn(orderOf(user.id)), '/ipn.php')).status).toBe(200);
  await scene.work();
  expect(await held(user.id)).toHaveLength(1);
});

test('A message without a known account or product is parked with its reason, a licence message until its purchase (G-23)', async () => {
  const user = await scene.api.user();
  const unknown = orderOf(999_999);
  const odd = orderOf(user.id, { productCode: 'NONE' });
  const bought = orderOf(user.id);
  const licence = { reference: bought.reference, userId: user.id, status: 'ACTIVE', isDisabled: false };
  const lcn = scene.card.lcn({ ...licence, isRecurring: false, endsAt: after(60), at: after(0.01) });
  expect((await post(lcn, '/old/lcn')).status).toBe(200);
  for (const order of [unknown, odd]) await post(scene.card.ipn(order));
  await scene.work();
  expect(await eventsOf(unknown.reference)).toEqual([
    { state: 'parked', reason: 'The account of the purchase does not exist.' },
  ]);
  expect(await eventsOf(odd.reference)).toEqual([{ state: 'parked', reason: 'There is no product NONE.' }]);
  expect(await eventsOf(bought.reference)).toMatchObject([{ state: 'parked' }]);
  await post(scene.card.ipn(bought));
  await scene.work();
  const { id } = await scene.api.context.postgres.db.one<{ id: number }>(
    sql`SELECT id FROM gateway_event WHERE reference = ${bought.reference} AND event = 'lcn'`,
  );
  await scene.apply(id);
  expect(await held(user.id)).toMatchObject([{ endsAt: after(60), autoRenew: false }]);
});

test('A lifecycle in any message order has the same result: paid, renewed, refunded, paid again (M-6.1, M-6.2)', async () => {
  const life = (userId: number, reference: string): string[] => {
    const order = orderOf(userId, { reference });
    const licence = { reference, userId, isRecurring: true, isDisabled: false, status: 'ACTIVE' };
    const renewal = orderOf(userId, { reference, paidAt: after(30), endsAt: after(60), at: after(30) });
    const back = { ...renewal, status: 'REFUND', at: after(31), extra: { REFUND_TYPE: 'TOTAL' } };
    const again = orderOf(userId, { reference, paidAt: after(40), endsAt: after(70), at: after(40) });
    return [
      scene.card.ipn(order),
      scene.card.lcn({ ...licence, endsAt: after(30), at: after(0.1) }),
      scene.card.ipn(renewal),
      scene.card.lcn({ ...licence, endsAt: after(60), at: after(30.1) }),
      scene.card.ipn(back),
      scene.card.lcn({ ...licence, status: 'EXPIRED', endsAt: after(31), at: after(31.1) }),
      scene.card.ipn(again),
      scene.card.lcn({ ...licence, isRecurring: false, endsAt: after(70), at: after(40.1) }),
    ];
  };
  const sequences: string[] = [];
  const states: unknown[] = [];
  for (let round = 0; round < 6; round += 1) {
    const user = await scene.api.user();
    const messages = life(user.id, `LIFE${round}`);
    const { order, shuffled } =
      round === 0 ? { order: 'as sent', shuffled: messages } : twiceInAnyOrder(messages);
    for (const message of shuffled)
      expect((await post(message, message.startsWith('FIRST_NAME') ? '/old/lcn' : path)).status).toBe(200);
    await scene.work();
    // Parked messages are applied by jobs that the purchase enqueues.
    for (const { id } of await scene.api.context.postgres.db.any<{ id: number }>(
      sql`SELECT id FROM gateway_event WHERE state = 'parked' AND reference = ${`LIFE${round}`}`,
    ))
      await scene.apply(id);
    const [subscription] = await held(user.id);
    const payments = await scene.api.context.postgres.db.any(
      sql`SELECT kind, status, amount_minor FROM payment WHERE user_id = ${user.id} ORDER BY paid_at, kind`,
    );
    const { gatewayStatus: status, endsAt, autoRenew: renews, cyclesCompleted: cycles } = subscription ?? {};
    sequences.push(order);
    states.push({ status, endsAt, renews, cycles, payments });
  }
  expect(states[0]).toMatchObject({ status: 'Running', endsAt: after(70), renews: false, cycles: 3 });
  for (const [i, state] of states.entries()) expect([sequences[i], state]).toEqual([sequences[i], states[0]]);
});

test('A local pause or cancellation survives messages about earlier events, and ends with the next payment', async () => {
  const { user, signed, id, reference } = await scene.subscribe();
  await signed.change('cancel_subscription', { subscription_id: id });
  await post(scene.card.ipn(orderOf(user.id, { reference, paidAt: after(-1), at: after(0.5) })));
  await scene.work();
  expect(await scene.stored(id)).toMatchObject({ gatewayStatus: 'Cancelled' });
  await post(
    scene.card.ipn(orderOf(user.id, { reference, paidAt: after(2), at: after(2), endsAt: after(50) })),
  );
  await scene.work();
  expect(await scene.stored(id)).toMatchObject({ gatewayStatus: 'Running', endsAt: after(50) });
});

test('A licence does not restore refunded access, and refunding an earlier period keeps a paid one (M-6.1)', async () => {
  for (const [round, isLicenceFirst] of [true, false].entries()) {
    const user = await scene.api.user();
    const reference = `BACK${round}`;
    const bought = orderOf(user.id, { reference });
    const paid = scene.card.ipn(bought);
    const renewed = scene.card.ipn(
      orderOf(user.id, { reference, paidAt: after(1), at: after(1.1), endsAt: after(60) }),
    );
    const money = { status: 'REFUND', at: after(2), extra: { REFUND_TYPE: 'TOTAL' } };
    const licence = { reference, userId: user.id, status: 'ACTIVE', isDisabled: false, isRecurring: true };
    const lcn = scene.card.lcn({ ...licence, endsAt: after(30), at: after(2.1) });
    await post(paid);
    await scene.work();
    const messages = [
      [lcn, '/old/lcn'],
      [scene.card.ipn({ ...bought, ...money }), path],
    ] as const;
    for (const [body, to] of isLicenceFirst ? messages : messages.toReversed()) {
      await post(body, to);
      await scene.work();
    }
    const refunded = { gatewayStatus: 'Expired', endsAt: after(2) };
    expect(await held(user.id)).toMatchObject([refunded]);
    // Paid before the refund, reported after it.
    await post(renewed);
    await scene.work();
    expect(await held(user.id)).toMatchObject([{ gatewayStatus: 'Running', endsAt: after(60) }]);
  }
  const user = await scene.api.user();
  const first = orderOf(user.id);
  const second = orderOf(user.id, {
    reference: first.reference,
    paidAt: after(1),
    at: after(1),
    endsAt: after(60),
  });
  const back = { ...first, status: 'REVERSED', at: after(2) };
  for (const order of [first, second, back]) await post(scene.card.ipn(order));
  await scene.work();
  expect(await held(user.id)).toMatchObject([{ gatewayStatus: 'Running', endsAt: after(60) }]);
  // The dispute about the newest payment is lost, then won.
  await post(scene.card.ipn({ ...second, status: 'REVERSED', at: after(3) }));
  await scene.work();
  expect(await held(user.id)).toMatchObject([{ gatewayStatus: 'Expired' }]);
  await post(scene.card.ipn({ ...second, at: after(4) }));
  await scene.work();
  expect(await held(user.id)).toMatchObject([{ gatewayStatus: 'Running', endsAt: after(60) }]);
});

test('Equal partial refunds are counted separately, each once however often it is reported', async () => {
  const user = await scene.api.user();
  const bought = orderOf(user.id);
  const part = (days: number, total: string, id: string) =>
    scene.card.ipn({
      ...bought,
      status: 'REFUND',
      total,
      at: after(days),
      extra: { REFUND_TYPE: 'PARTIAL', MESSAGE_ID: id },
    });
  const history = async (): Promise<unknown> =>
    scene.api.context.postgres.db.any(
      sql`SELECT kind, status, amount_minor FROM payment WHERE user_id = ${user.id} ORDER BY paid_at, kind`,
    );
  const paid = { kind: 'payment', status: 'COMPLETED', amountMinor: 999 };
  const back = { kind: 'refund', status: 'COMPLETED', amountMinor: -300 };
  // The second message is sent again, with the time of the repetition.
  for (const body of [
    scene.card.ipn(bought),
    part(1, '-3.00', '1'),
    part(2, '-3.00', '2'),
    part(3, '-3.00', '2'),
  ])
    await post(body);
  await scene.work();
  expect(await history()).toEqual([paid, back, back]);
  expect(await held(user.id)).toMatchObject([{ gatewayStatus: 'Running' }]);
  // The rest is refunded in another part, so nothing is left of the payment.
  await post(part(4, '-3.99', '3'));
  await scene.work();
  expect(await history()).toEqual([
    { ...paid, status: 'REFUNDED' },
    back,
    back,
    { ...back, amountMinor: -399 },
  ]);
  expect(await held(user.id)).toMatchObject([{ gatewayStatus: 'Expired', endsAt: after(4) }]);
});

test('A partial refund before the full one counts once, whichever is reported first (G-22)', async () => {
  const parts = { REFUND_TYPE: 'PARTIAL', MESSAGE_ID: '1' };
  const stored = async (reports: readonly ('part' | 'whole')[]): Promise<unknown> => {
    const user = await scene.api.user();
    const bought = orderOf(user.id);
    const back = { ...bought, status: 'REFUND' };
    const bodies = {
      part: scene.card.ipn({ ...back, total: '-3.00', at: after(1), extra: parts }),
      // The gateway reports the full amount paid, even when only the rest is refunded.
      whole: scene.card.ipn({ ...back, total: '-9.99', at: after(2), extra: { REFUND_TYPE: 'TOTAL' } }),
    };
    for (const body of [scene.card.ipn(bought), ...reports.map((report) => bodies[report])]) await post(body);
    await scene.work();
    const rows = await scene.api.context.postgres.db.any<{ amountMinor: number }>(
      sql`SELECT amount_minor FROM payment WHERE user_id = ${user.id} AND kind = 'refund' ORDER BY paid_at`,
    );
    expect(await held(user.id)).toMatchObject([{ gatewayStatus: 'Expired', endsAt: after(2) }]);
    return rows.map(({ amountMinor }) => amountMinor);
  };
  expect(await stored(['part', 'whole', 'whole'])).toEqual([-300, -699]);
  expect(await stored(['whole', 'part'])).toEqual([-999]);
});
