import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { startSimulatedStore } from '#tools/simulated-gateways/store.ts';
import type { SimulatedStore } from '#tools/simulated-gateways/store.ts';
import type { StoreMessage, StorePurchase } from '#tools/simulated-gateways/store-messages.ts';
import type { TestUser } from '#test/api.ts';
import { twiceInAnyOrder } from '#test/support/any-order.ts';
import { subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';
import gatewayReconcile from '#workers/jobs/gateway-reconcile.ts';
import { runOnce } from '#test/support/run-once.ts';

let store: SimulatedStore;
let scene: SubscriptionScene;
beforeAll(async () => {
  store = await startSimulatedStore();
  scene = await subscriptionScene(store.variables);
});
afterAll(async () => {
  await scene.close();
  await store.close();
});

const path = '/api/webhooks/apple/notifications';
const after = (days: number) => new Date(scene.api.context.clock.now().getTime() + days * 86_400_000);
const post = (body: string) =>
  scene.api.fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

const buyer = async (account?: TestUser) => {
  const user = account ?? (await scene.api.user());
  const { token } = await scene.api.context.postgres.db.one<{ token: string }>(
    sql`SELECT store_account_token AS token FROM app_user WHERE id = ${user.id}`,
  );
  return { userId: user.id, token };
};
let purchases = 5_000;
const purchaseOf = (accountToken: string, change: Partial<StorePurchase> = {}): StorePurchase => {
  purchases += 1;
  const id = String(purchases);
  const period = { purchasedAt: after(0), endsAt: after(30) };
  const bought = { productCode: 'EFB_PRO_M', price: 9_990, currency: 'EUR', ...period };
  return { reference: id, transactionId: id, accountToken, ...bought, ...change };
};
const sent = (purchase: StorePurchase, type: string, days: number, change: Partial<StoreMessage> = {}) =>
  store.notification({ id: randomUUID(), type, at: after(days), purchase, ...change });

const held = (userId: number) =>
  scene.api.context.postgres.db.any<Record<string, unknown>>(
    sql`SELECT * FROM subscription WHERE user_id = ${userId} ORDER BY id`,
  );
const eventsOf = (reference: string) =>
  scene.api.context.postgres.db.any<{ id: number; state: string; reason: string | null }>(
    sql`SELECT id, state, reason FROM gateway_event WHERE reference = ${reference} ORDER BY id`,
  );

test('A purchase gives access to its token’s account once, however often it is sent (M-6.4, G-23)', async () => {
  const { userId, token } = await buyer();
  const purchase = purchaseOf(token);
  const body = sent(purchase, 'SUBSCRIBED', 0, { subtype: 'INITIAL_BUY' });
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(body)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  await scene.work();
  expect(await held(userId)).toMatchObject([
    {
      reference: purchase.reference,
      gateway: 'apple',
      gatewayStatus: 'Running',
      pricePaidMinor: 999,
      cyclesCompleted: 1,
      autoRenew: true,
      endsAt: after(30),
    },
  ]);
  expect(await eventsOf(purchase.reference)).toMatchObject([{ state: 'applied' }]);
});

test('A forged notification is refused without effect, and a GET is answered (M-6.4)', async () => {
  const { userId, token } = await buyer();
  const body = sent(purchaseOf(token), 'SUBSCRIBED', 0);
  for (const wrong of ['', '{}', body.replace(/.{6}"}$/, 'AAAAAA"}'), body.replace('.', '.e')])
    expect((await post(wrong)).status).toBe(401);
  await scene.work();
  expect(await held(userId)).toEqual([]);
  for (const probed of [path, '/api/webhooks/store/notifications'])
    expect((await scene.api.fetch(probed)).status).toBe(200);
});

test('A purchase by an unknown account is parked, and a connection test changes nothing', async () => {
  const unknown = purchaseOf(randomUUID());
  expect((await post(sent(unknown, 'SUBSCRIBED', 0))).status).toBe(200);
  expect((await post(store.notification({ id: randomUUID(), type: 'TEST', at: after(0) }))).status).toBe(200);
  await scene.work();
  expect(await eventsOf(unknown.reference)).toMatchObject([
    { state: 'parked', reason: 'The account of the purchase does not exist.' },
  ]);
});

test('A failed renewal is mailed as failed, although a grace period adds days', async () => {
  const user = await scene.api.user();
  const { token } = await buyer(user);
  const bought = purchaseOf(token);
  await post(sent(bought, 'SUBSCRIBED', 0));
  await scene.work();
  const unpaid = { ...bought, graceEndsAt: after(46) };
  await post(sent(unpaid, 'DID_FAIL_TO_RENEW', 30, { subtype: 'GRACE_PERIOD', status: 4 }));
  await scene.work();
  expect(await held(user.id)).toMatchObject([{ endsAt: after(46) }]);
  const subjects = (await scene.mails(user)).map(({ subject }) => subject);
  expect(subjects).toEqual(['Your subscription is active', 'A payment failed']);
});

test.each([
  ['SUBSCRIBED', 'EXPIRED'],
  ['EXPIRED', 'SUBSCRIBED'],
])(
  'A purchase gives access until its end, even if %s comes before %s and EXPIRED was signed a second later',
  async (...order) => {
    const user = await scene.api.user();
    const { token } = await buyer(user);
    const second = 1 / 86_400;
    const former = purchaseOf(token, { purchasedAt: after(-40), endsAt: after(-10) });
    await post(sent(former, 'SUBSCRIBED', -40));
    const bought = {
      ...former,
      transactionId: `${former.transactionId}2`,
      purchasedAt: after(-0.8 * second),
      endsAt: after(30),
    };
    const messages = {
      EXPIRED: sent(former, 'EXPIRED', 0, { subtype: 'VOLUNTARY', status: 2 }),
      SUBSCRIBED: sent(bought, 'SUBSCRIBED', second, { subtype: 'RESUBSCRIBE' }),
    };
    for (const name of order as (keyof typeof messages)[]) {
      await post(messages[name]);
      await scene.work();
    }
    expect(await held(user.id)).toMatchObject([
      { gatewayStatus: 'Running', autoRenew: true, endsAt: after(30) },
    ]);
    // The newest notification decides everything.
    await post(sent(bought, 'EXPIRED', 2 * second, { status: 2 }));
    await scene.work();
    expect(await held(user.id)).toMatchObject([{ gatewayStatus: 'Expired' }]);
  },
);

test('After an outage of 47 hours the lost messages come from the store’s history (M-6.4, G-23)', async () => {
  const [first, second] = [await buyer(), await buyer()];
  sent(purchaseOf(first.token), 'SUBSCRIBED', 0.1);
  const late = sent(purchaseOf(second.token), 'SUBSCRIBED', 0.2);
  const ends = after(30);
  scene.api.context.clock.advance(47 * 3_600);
  for (const body of [late, late]) expect((await post(body)).status).toBe(200);
  await scene.work();
  await runOnce(gatewayReconcile, scene.api.context, { slot: after(0).toISOString() });
  await scene.work();
  scene.api.context.clock.advance(-47 * 3_600);
  for (const { userId } of [first, second])
    expect(await held(userId)).toMatchObject([{ gatewayStatus: 'Running', endsAt: ends }]);
});

test('A refunded payment stays refunded when the end of its period is reported later', async () => {
  const { userId, token } = await buyer();
  const bought = purchaseOf(token);
  const back = { ...bought, revokedAt: after(5) };
  await post(sent(bought, 'SUBSCRIBED', 0));
  await post(sent(back, 'REFUND', 5, { status: 5 }));
  await post(sent(back, 'EXPIRED', 30, { status: 2 }));
  await scene.work();
  const payments = await scene.api.context.postgres.db.any(
    sql`SELECT kind, status FROM payment WHERE user_id = ${userId} ORDER BY kind`,
  );
  expect(payments).toEqual([
    { kind: 'payment', status: 'REFUNDED' },
    { kind: 'refund', status: 'COMPLETED' },
  ]);
});

test('A lifecycle in any message order has the same result: bought, renewed, unpaid, expired, bought again, refunded (M-6.4)', async () => {
  const life = (token: string): { reference: string; messages: string[] } => {
    const first = purchaseOf(token);
    const { reference } = first;
    const of = (days: number, change: Partial<StorePurchase> = {}) =>
      purchaseOf(token, { reference, purchasedAt: after(days), endsAt: after(days + 30), ...change });
    const second = of(30);
    const third = of(80);
    const messages = [
      sent(first, 'SUBSCRIBED', 0),
      sent(second, 'DID_RENEW', 30),
      sent({ ...second, isRenewing: false }, 'DID_CHANGE_RENEWAL_STATUS', 31, {
        subtype: 'AUTO_RENEW_DISABLED',
      }),
      sent(second, 'DID_CHANGE_RENEWAL_STATUS', 32, { subtype: 'AUTO_RENEW_ENABLED' }),
      sent({ ...second, graceEndsAt: after(76) }, 'DID_FAIL_TO_RENEW', 60, {
        subtype: 'GRACE_PERIOD',
        status: 4,
      }),
      sent({ ...second, isRenewing: false }, 'EXPIRED', 77, { status: 2 }),
      sent(third, 'SUBSCRIBED', 80, { subtype: 'RESUBSCRIBE' }),
      sent({ ...third, revokedAt: after(82), isRenewing: false }, 'REFUND', 82, { status: 5 }),
    ];
    return { reference, messages };
  };
  const sequences: string[] = [];
  const states: unknown[] = [];
  for (let round = 0; round < 5; round += 1) {
    const { userId, token } = await buyer();
    const { reference, messages } = life(token);
    const { order, shuffled } =
      round === 0 ? { order: 'as sent', shuffled: messages } : twiceInAnyOrder(messages);
    for (const message of shuffled) expect((await post(message)).status).toBe(200);
    await scene.work();
    for (const { id, state } of await eventsOf(reference)) if (state === 'parked') await scene.apply(id);
    const [subscription] = await held(userId);
    const payments = await scene.api.context.postgres.db.any(
      sql`SELECT kind, status, amount_minor, paid_at FROM payment WHERE user_id = ${userId} ORDER BY paid_at, kind`,
    );
    const {
      gatewayStatus: status,
      endsAt: end,
      autoRenew: renews,
      cyclesCompleted: cycles,
    } = subscription ?? {};
    sequences.push(order);
    states.push({ status, end, renews, cycles, payments });
  }
  expect(states[0]).toMatchObject({ status: 'Expired', end: after(82), renews: false });
  for (const [i, state] of states.entries()) expect([sequences[i], state]).toEqual([sequences[i], states[0]]);
});

test('The comparison reports a message in the history that is for another app and does not store it (M-6.4)', async () => {
  const { userId, token } = await buyer();
  const { bundleId } = store.app;
  Object.assign(store.app, { bundleId: 'example.another.efb' });
  sent(purchaseOf(token), 'SUBSCRIBED', 0.1);
  Object.assign(store.app, { bundleId });
  scene.api.context.clock.advance(86_400);
  await expect(
    runOnce(gatewayReconcile, scene.api.context, { slot: after(0).toISOString() }),
  ).rejects.toThrow('not reconciled: store: it lists a message that it did not sign');
  await scene.work();
  expect(await held(userId)).toEqual([]);
});
