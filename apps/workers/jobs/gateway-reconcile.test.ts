import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { extendSubscription, stopRenewals } from '#commands/subscriptions/by-operator.ts';
import { disableAccount } from '#commands/users/accounts.ts';
import { sql } from '#store/postgres/sql.ts';
import { comparisonRepo } from '#store/postgres/subscriptions/comparisons.ts';
import { gatewayBacklogRepo } from '#store/postgres/subscriptions/gateway-orders.ts';
import { refundRequestRepo } from '#store/postgres/subscriptions/refund-requests.ts';
import { runSql } from '#test/support/sql.ts';
import { startSimulatedWallet } from '#tools/simulated-gateways/wallet.ts';
import type { SimulatedWallet } from '#tools/simulated-gateways/wallet.ts';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';
import { runOnce } from '#test/support/run-once.ts';
import gatewayReconcile from './gateway-reconcile.ts';

let scene: SubscriptionScene;
let wallet: SimulatedWallet;
beforeAll(async () => {
  wallet = await startSimulatedWallet();
  scene = await subscriptionScene(wallet.variables);
});
afterAll(async () => {
  await scene.close();
  await wallet.close();
});

const now = () => scene.api.context.clock.now();
const after = (days: number) => new Date(now().getTime() + days * 86_400_000);
const advance = (days: number) => scene.api.context.clock.advance(days * 86_400);
const reconcile = () => runOnce(gatewayReconcile, scene.api.context, { slot: now().toISOString() });
const comparisons = () => comparisonRepo(scene.api.context.postgres.db);
const post = (path: string, body: string) =>
  scene.api.fetch(`/api/webhooks/${path}`, { method: 'POST', body });

test('A paid renewal is found after an outage of any length, since the comparison starts at its last success', async () => {
  const user = await scene.api.user();
  const order = (number: string, endsAt: Date) => ({
    number,
    reference: 'LONG1',
    userId: user.id,
    productCode: 'EFB_PRO_M',
    status: 'COMPLETE',
    total: '9.99',
    currency: 'EUR',
    paidAt: now(),
    at: now(),
    endsAt,
  });
  await post('2checkout/ipn', scene.card.ipn(order('8001', after(30))));
  await scene.work();
  await reconcile();
  expect(await comparisons().until('2checkout')).toEqual(now());
  advance(30);
  await scene.card.setMode('down');
  // The message of the renewal is lost, and the gateway is away for twelve days.
  scene.card.ipn(order('8002', after(30)));
  const { id } = await scene.api.context.postgres.db.one<{ id: number }>(
    sql`SELECT id FROM subscription WHERE reference = 'LONG1'`,
  );
  for (const days of [1, 11]) {
    advance(days);
    await expect(reconcile()).rejects.toThrow('not reconciled: card');
  }
  await scene.card.setMode('ok');
  const asked = scene.card.requests.length;
  await reconcile();
  const list = scene.card.requests.slice(asked).find(({ path }) => path.endsWith('/subscriptions/'));
  // In the time zone of the gateway's account.
  const since = new Date(`${list?.query.get('ModifiedAfter')?.replace(' ', 'T')}+02:00`);
  expect(since).toEqual(after(-30 - 12 - 4));
  expect(await scene.stored(id)).toMatchObject({ endsAt: after(18), cyclesCompleted: 2 });
  expect((await scene.mails(user)).map(({ subject }) => subject)).toEqual([
    'Your subscription is active',
    'Your subscription was renewed',
  ]);
});

test('A payment whose message was lost is found, even if the message of the next payment has arrived', async () => {
  const user = await scene.api.user();
  const pay = async (number: string, isLost: boolean) => {
    const order = {
      number,
      reference: 'GAP1',
      userId: user.id,
      productCode: 'EFB_PRO_M',
      status: 'COMPLETE',
    };
    const paid = { total: '9.99', currency: 'EUR', paidAt: now(), at: now(), endsAt: after(30) };
    const body = scene.card.ipn({ ...order, ...paid });
    if (!isLost) await post('2checkout/ipn', body);
    await scene.work();
    advance(30);
  };
  await pay('8101', false);
  await pay('8102', true);
  await pay('8103', false);
  await reconcile();
  const { id } = await scene.api.context.postgres.db.one<{ id: number }>(
    sql`SELECT id FROM subscription WHERE reference = 'GAP1'`,
  );
  expect(await scene.stored(id)).toMatchObject({ cyclesCompleted: 3, endsAt: now() });
  const asked = scene.card.requests.length;
  await reconcile();
  const orders = scene.card.requests.slice(asked).filter(({ path }) => /orders\/81\d\d\//.test(path));
  // Of known orders only the newest is read again, because it may have been refunded.
  expect(orders.map(({ path }) => path.split('/').at(-2))).toEqual(['8103']);
});

describe('unanswered refunds', () => {
  // Leaves nothing pending that would be due in the tests below.
  afterAll(async () => {
    await reconcile();
    await scene.work();
    advance(0.02);
    await reconcile();
  });
  const scened = async (modifiedDaysAgo = 0) => {
    const mine = await scene.subscribe();
    const admin = await scene.subscribe();
    await runSql(scene.api.context.postgres)`
      INSERT INTO va_admin (user_id, scope) VALUES (${admin.user.id}, 'FULL')`;
    const orders: string[] = [];
    Object.assign(scene.card.licences.get(mine.reference) ?? {}, {
      orders,
      modifiedAt: after(-modifiedDaysAgo),
    });
    const pay = async (number: string) => {
      orders.push(number);
      const order = { number, status: 'COMPLETE', total: '9.99', currency: 'EUR', paidAt: now() };
      scene.card.orders.set(number, order);
      await scene.paid(mine, { transactionId: number, at: now() });
      // Longer than the age of the test's tokens.
      advance(0.01);
    };
    const refund = (amount?: string) =>
      admin.signed.change('request_refund', { subscription_id: mine.id, reason: 'Twice', amount });
    const unanswered = async (mode: 'wrong' | 'twice', amount?: string) => {
      await scene.card.setMode(mode);
      expect((await refund(amount)).status).toBeGreaterThanOrEqual(500);
      await scene.card.setMode('ok');
    };
    const states = async () =>
      (await refundRequestRepo(scene.api.context.postgres.db).ofSubscription(mine.id)).map(
        ({ state }) => state,
      );
    return { ...mine, pay, refund, unanswered, states };
  };
  const given = (number: string) =>
    scene.card.charges.filter(({ reference }) => reference === number).map(({ amount }) => amount);

  test('A refund that was not made is released after a day, once the gateway shows the whole payment (M-4.8.a9, G-22)', async () => {
    const { pay, refund, unanswered, states } = await scened(200);
    await pay('8301');
    await unanswered('wrong');
    await reconcile();
    expect([await states(), codeOf(await refund())]).toEqual([['unknown'], [409, 'NOTHING_TO_REFUND']]);
    advance(1.1);
    await reconcile();
    expect(await states()).toEqual(['refused']);
    expect((await refund()).status).toBe(200);
    expect(given('8301')).toEqual(['9.99']);
  });

  test('A refund by a killed process is settled, even when another payment has arrived meanwhile (M-4.8.a9, G-22)', async () => {
    const { id, pay, states } = await scened();
    await pay('8311');
    await runSql(scene.api.context.postgres)`
      INSERT INTO refund_request (subscription_id, transaction_id, amount_minor, currency, reason, requested_by,
        requested_at)
      VALUES (${id}, '8311', 999, 'EUR', 'Twice', 1, ${now()})`;
    advance(1.1);
    await pay('8312');
    await reconcile();
    expect(await states()).toEqual(['refused']);
  });

  test('A refund whose payment was returned by the gateway counts as made (M-4.8.a9, G-22)', async () => {
    const { pay, refund, unanswered, states } = await scened();
    await pay('8321');
    await unanswered('twice');
    advance(1.1);
    await reconcile();
    expect([await states(), codeOf(await refund())]).toEqual([['accepted'], [409, 'NOTHING_TO_REFUND']]);
    expect(given('8321')).toEqual(['9.99']);
  });

  test('An accepted refund whose message was lost is found although the next payment has arrived (M-4.8.a9, G-22)', async () => {
    const { id, pay, refund, states } = await scened();
    await pay('8341');
    expect([(await refund()).status, await states()]).toEqual([200, ['accepted']]);
    advance(1.1);
    await pay('8342');
    await reconcile();
    const payments = await scene.api.context.postgres.db.any(
      sql`SELECT transaction_id, status FROM payment WHERE subscription_id = ${id} ORDER BY transaction_id`,
    );
    expect(payments).toEqual([
      { transactionId: '8341', status: 'REFUNDED' },
      { transactionId: '8342', status: 'COMPLETED' },
    ]);
  });

  test('A partial refund stays reserved until its message arrives, since no query shows it (M-4.8.a9, G-22)', async () => {
    const { user, reference, pay, refund, unanswered, states } = await scened();
    await pay('8331');
    await unanswered('twice', '2.00');
    advance(3);
    await reconcile();
    expect([await states(), codeOf(await refund('8.00'))]).toEqual([['unknown'], [409, 'NOTHING_TO_REFUND']]);
    const stored = scene.card.orders.get('8331');
    const order = {
      number: '8331',
      reference,
      userId: user.id,
      productCode: 'EFB_PRO_M',
      status: 'REFUND',
      total: '-2.00',
      currency: 'EUR',
      paidAt: now(),
      at: now(),
      endsAt: after(20),
      extra: { REFUND_TYPE: 'PARTIAL', MESSAGE_ID: '1' },
    };
    await post('2checkout/ipn', scene.card.ipn(order));
    if (stored) scene.card.orders.set('8331', stored);
    await scene.work();
    await reconcile();
    expect(await states()).toEqual(['accepted']);
    advance(0.01);
    expect((await refund()).status).toBe(200);
    expect(given('8331')).toEqual(['2.00', '7.99']);
  });
});

test('A subscription waiting for its order stays due, however long that takes', async () => {
  const { id, reference, signed } = await scene.subscribe();
  const due = () => comparisons().due('2checkout', 100);
  await scene.card.setMode('down');
  await signed.change('pause_subscription', { subscription_id: id });
  advance(1);
  await scene.card.setMode('ok');
  const licence = scene.card.licences.get(reference);
  const endsAt = after(90);
  if (licence) licence.endsAt = endsAt;
  await reconcile();
  expect(await due()).toEqual([reference]);
  expect(await scene.stored(id)).not.toMatchObject({ endsAt });
  await scene.work();
  // The gateway's read calls may not show it yet.
  await reconcile();
  expect(await due()).toEqual([reference]);
  advance(0.02);
  await reconcile();
  expect(await due()).toEqual([]);
  expect(await scene.stored(id)).toMatchObject({ endsAt });
});

test('A run makes a limited number of gateway calls, and the next run continues with the longest waiting', async () => {
  scene.card.licences.clear();
  const ids: number[] = [];
  for (let index = 0; index < 5; index += 1) ids.push((await scene.subscribe()).id);
  for (const licence of scene.card.licences.values()) licence.endsAt = after(90);
  const ctx = scene.api.context;
  const config = { ...ctx.config, GATEWAY_COMPARISON_CALLS: 9 };
  /** Number of subscriptions compared this night, and of calls besides the list. */
  const night = async () => {
    const before = scene.card.requests.length;
    await runOnce(gatewayReconcile, { ...ctx, config }, { slot: now().toISOString() });
    const calls = scene.card.requests.slice(before).filter(({ path }) => !path.endsWith('/subscriptions/'));
    const ends = await Promise.all(ids.map((id) => scene.stored(id)));
    return [calls.length, ends.map((one) => Number(one?.['endsAt']) === after(90).getTime())];
  };
  expect(await night()).toEqual([9, [true, true, true, false, false]]);
  const since = now();
  expect(await gatewayBacklogRepo(ctx.postgres.db).of(now())).toMatchObject(
    ['2checkout', 'apple', 'paypal'].map((gateway) => ({
      gateway,
      dueComparisons: gateway === '2checkout' ? 2 : 0,
      comparedSince: gateway === '2checkout' ? since : null,
    })),
  );
  // All are listed again, and moved by a day.
  advance(1);
  for (const licence of scene.card.licences.values()) licence.endsAt = after(90);
  expect(await night()).toEqual([9, [true, false, false, true, true]]);
});

test('The wallet is queried profile by profile for renewals, refunds and cancellations with lost messages', async () => {
  const user = await scene.api.user();
  const pay = (reference: string, transactionId: string) => {
    const bought = { reference, transactionId, userId: user.id, productCode: 'EFB_PRO_M' };
    return wallet.payment({ ...bought, total: '9.99', currency: 'EUR', paidAt: now() });
  };
  for (const reference of ['W1', 'W2', 'W3', 'W4'])
    await post('paypal/ipn', pay(reference, `T-${reference}`));
  await scene.work();
  advance(30);
  pay('W1', 'T-W1-2');
  const cancelled = wallet.profiles.get('W2');
  if (cancelled) cancelled.status = 'Cancelled';
  const given = wallet.payments.get('T-W3');
  if (given) given.status = 'Refunded';
  await wallet.setMode('down');
  advance(20);
  await expect(reconcile()).rejects.toThrow('not reconciled: wallet');
  await wallet.setMode('ok');
  await reconcile();
  const rows = await scene.api.context.postgres.db.any(
    sql`SELECT reference, gateway_status, auto_renew, ends_at, cycles_completed FROM subscription
      WHERE gateway = 'paypal' ORDER BY reference`,
  );
  expect(rows).toMatchObject([
    { reference: 'W1', gatewayStatus: 'Running', autoRenew: true, cyclesCompleted: 2 },
    { reference: 'W2', gatewayStatus: 'Cancelled', autoRenew: false },
    { reference: 'W3', gatewayStatus: 'Expired' },
    { reference: 'W4', gatewayStatus: 'Running', autoRenew: true, cyclesCompleted: 1 },
  ]);
  const states = await scene.api.context.postgres.db.any(sql`SELECT * FROM subscription_history ORDER BY id`);
  await reconcile();
  expect(
    await scene.api.context.postgres.db.any(sql`SELECT * FROM subscription_history ORDER BY id`),
  ).toEqual(states);
});

test('A pause at the card gateway and its end are found without messages, and a disabled renewal does not count as a withdrawn cancellation', async () => {
  const { id, reference, signed } = await scene.subscribe();
  const licence = scene.card.licences.get(reference);
  const night = async (change: object) => {
    Object.assign(licence ?? {}, change);
    advance(1);
    await reconcile();
    const { gatewayStatus, pauseUntil, autoRenew } = (await scene.stored(id)) ?? {};
    return { gatewayStatus, pauseUntil, autoRenew };
  };
  const resumeAt = after(20);
  expect(await night({ resumeAt })).toEqual({
    gatewayStatus: 'paused',
    pauseUntil: new Date(resumeAt.toISOString().slice(0, 10)),
    autoRenew: true,
  });
  expect(await night({ resumeAt: null })).toMatchObject({ gatewayStatus: 'Running', pauseUntil: null });
  await signed.change('cancel_subscription', { subscription_id: id });
  advance(0.02);
  const cancelled = { gatewayStatus: 'Cancelled', pauseUntil: null, autoRenew: false };
  expect(await night({ isEnabled: true, isRecurring: false })).toEqual(cancelled);
  expect(await night({ isRecurring: true })).toMatchObject({ gatewayStatus: 'Running', autoRenew: true });
});

test('A first purchase with lost messages is found with its payment and mailed as paid', async () => {
  const user = await scene.api.user();
  scene.card.ipn({
    number: '8901',
    reference: 'LOST1',
    userId: user.id,
    productCode: 'EFB_PRO_M',
    status: 'COMPLETE',
    total: '9.99',
    currency: 'EUR',
    paidAt: now(),
    at: now(),
    endsAt: after(30),
  });
  advance(1);
  await reconcile();
  const [found] = await scene.api.context.postgres.db.any<{ id: number }>(
    sql`SELECT id FROM subscription WHERE reference = 'LOST1'`,
  );
  expect(await scene.stored(found?.id ?? 0)).toMatchObject({
    gatewayStatus: 'Running',
    endsAt: after(29),
    cyclesCompleted: 1,
    pricePaidMinor: 999,
  });
  const mails = await scene.mails(user);
  expect(mails.map(({ subject }) => subject)).toEqual(['Your subscription is active']);
});

test('A refused cancellation of a disabled account is tried again after a week, even if the operator has added days', async () => {
  const { id, user, reference } = await scene.subscribe();
  const { context } = scene.api;
  scene.card.refusals.set('cancelSubscription', 'Not now');
  await context.postgres.transaction(async (tx) => {
    await disableAccount(tx, context, { userId: user.id });
    await stopRenewals(tx, context, { userId: user.id });
  });
  await scene.work();
  scene.card.refusals.clear();
  await context.postgres.transaction((tx) => extendSubscription(tx, context, { id, days: 3 }));
  await scene.work();
  const isEnabledAfter = async (days: number) => {
    advance(days);
    await reconcile();
    await scene.work();
    return scene.card.licences.get(reference)?.isEnabled;
  };
  expect([await isEnabledAfter(6), await isEnabledAfter(2)]).toEqual([true, false]);
});
