import { afterAll, beforeAll, expect, test } from 'vitest';
import { syncOrder } from '#commands/subscriptions/sync-order.ts';
import { sql } from '#store/postgres/sql.ts';
import { startSimulatedWallet } from '#tools/simulated-gateways/wallet.ts';
import type { SimulatedWallet } from '#tools/simulated-gateways/wallet.ts';
import type { WalletPayment } from '#tools/simulated-gateways/wallet-messages.ts';
import { twiceInAnyOrder } from '#test/support/any-order.ts';
import { ops } from '#test/support/ops.ts';
import { runSql } from '#test/support/sql.ts';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';
import { dayMs } from '#domain/time.ts';

let wallet: SimulatedWallet;
let scene: SubscriptionScene;
beforeAll(async () => {
  wallet = await startSimulatedWallet();
  scene = await subscriptionScene({ ...wallet.variables, WEBHOOK_LEGACY_PATHS: '/paypal.php=paypal/ipn' });
});
afterAll(async () => {
  await scene.close();
  await wallet.close();
});

const path = '/api/webhooks/paypal/ipn';
const after = (days: number) => new Date(scene.api.context.clock.now().getTime() + days * dayMs);

const post = (body: string, to = path) =>
  scene.api.fetch(to, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body,
  });

let transactions = 0;
const paymentOf = (userId: number, change: Partial<WalletPayment> = {}): WalletPayment => {
  transactions += 1;
  const bought = { userId, productCode: 'EFB_PRO_M', total: '9.99', currency: 'EUR', paidAt: after(0) };
  return { transactionId: `TX${transactions}`, reference: `S-${transactions}`, ...bought, ...change };
};

const held = (userId: number) =>
  scene.api.context.postgres.db.any<Record<string, unknown>>(
    sql`SELECT s.*, a.intent FROM subscription s JOIN agreement a ON a.subscription_id = s.id
      WHERE user_id = ${userId} ORDER BY id`,
  );
const eventsOf = (reference: string) =>
  scene.api.context.postgres.db.any<{ id: number; state: string; reason: string | null }>(
    sql`SELECT id, state, reason FROM gateway_event WHERE reference = ${reference} ORDER BY id`,
  );

test('A payment gives access once, however often it is sent, and the answer is empty (M-6.3, G-23)', async () => {
  const user = await scene.api.user();
  const bought = paymentOf(user.id);
  const body = wallet.payment(bought);
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(body)));
  const texts = await Promise.all(answers.map((answer) => answer.text()));
  expect(new Set(answers.map(({ status }, i) => `${status} ${texts[i]}`))).toEqual(new Set(['200 ']));
  await scene.work();
  expect(await held(user.id)).toMatchObject([
    {
      reference: bought.reference,
      gateway: 'paypal',
      gatewayStatus: 'Running',
      pricePaidMinor: 999,
      cyclesCompleted: 1,
      autoRenew: true,
      endsAt: after(30),
      subscriberName: 'Renée Décollage',
    },
  ]);
  expect(await eventsOf(bought.reference)).toMatchObject([{ state: 'applied' }]);
});

test('A second payment within a period buys a second period', async () => {
  const user = await scene.api.user();
  const bought = paymentOf(user.id);
  await post(wallet.payment(bought));
  await post(wallet.payment({ ...bought, transactionId: `${bought.transactionId}B`, paidAt: after(1) }));
  await scene.work();
  expect(await held(user.id)).toMatchObject([{ endsAt: after(61), cyclesCompleted: 2 }]);
});

test('Forged messages are refused without effect, and unconfirmable ones are answered 503 (M-6.3)', async () => {
  const user = await scene.api.user();
  const body = wallet.payment(paymentOf(user.id));
  const before = await eventsOf(`S-${transactions}`);
  for (const wrong of ['', 'x', body.replace('9.99', '0.99'), `${body}&a=b`]) {
    const answer = await post(wrong);
    const failure = { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    expect(codeOf(failure)).toEqual([401, 'INVALID_SIGNATURE']);
  }
  await wallet.setMode('down', 'verify');
  const answer = await post(body);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
  await wallet.setMode('ok', 'verify');
  expect(await eventsOf(`S-${transactions}`)).toEqual(before);
  // The gateway repeats the message, however long the outage.
  expect((await post(body)).status).toBe(200);
  await scene.work();
  expect(await held(user.id)).toHaveLength(1);
});

test('A GET is answered without effect, and the older path does the same (M-6.6)', async () => {
  for (const probed of [path, '/api/webhooks/wallet/ipn', '/paypal.php'])
    expect([probed, (await scene.api.fetch(probed)).status]).toEqual([probed, 200]);
  const user = await scene.api.user();
  expect((await post(wallet.payment(paymentOf(user.id)), '/paypal.php')).status).toBe(200);
  await scene.work();
  expect(await held(user.id)).toHaveLength(1);
});

test('A buyer with a lowered price or another currency gets nothing, at purchase or later', async () => {
  const user = await scene.api.user();
  const cheap = paymentOf(user.id, { total: '0.01' });
  const foreign = paymentOf(user.id, { currency: 'JPY', total: '999' });
  for (const bought of [cheap, foreign]) await post(wallet.payment(bought));
  await scene.work();
  expect(await held(user.id)).toEqual([]);
  expect(await eventsOf(cheap.reference)).toMatchObject([
    { state: 'parked', reason: '0.01 EUR was paid for EFB_PRO_M, which costs 9.99 EUR.' },
  ]);
  expect(await eventsOf(foreign.reference)).toMatchObject([{ state: 'parked' }]);
  const own = paymentOf(user.id);
  await post(wallet.payment(own));
  const changed = { ...paymentOf(user.id, { paidAt: after(30) }), productCode: 'EFB_COMMERCIAL_Y' };
  await post(wallet.payment({ ...changed, reference: own.reference }));
  await scene.work();
  expect(await held(user.id)).toMatchObject([{ productCode: 'EFB_PRO_M', endsAt: after(30) }]);
  // A later payment at a price that the buyer lowered; then, after a price increase, one at the previous
  // period's price.
  const later = (change: Partial<WalletPayment>) =>
    post(wallet.payment(paymentOf(user.id, { reference: own.reference, paidAt: after(30), ...change })));
  await later({ total: '0.01' });
  await later({ total: '999', currency: 'JPY' });
  await scene.work();
  expect(await held(user.id)).toMatchObject([{ endsAt: after(30), cyclesCompleted: 1 }]);
  const setPrice = (minor: number) =>
    runSql(scene.api.context.postgres)`UPDATE product SET price_minor = ${minor} WHERE code = 'EFB_PRO_M'`;
  await setPrice(1_299);
  await later({});
  await scene.work();
  await setPrice(999);
  expect(await held(user.id)).toMatchObject([{ endsAt: after(61), cyclesCompleted: 2 }]);
});

test('A failed renewal is mailed, although its message has no payment', async () => {
  const user = await scene.api.user();
  const bought = paymentOf(user.id);
  await post(wallet.payment(bought));
  await scene.work();
  await post(wallet.event({ type: 'subscr_failed', reference: bought.reference, at: after(30) }));
  await scene.work();
  const subjects = (await scene.mails(user)).map(({ subject }) => subject);
  expect(subjects).toEqual(['Your subscription is active', 'A payment failed']);
});

test('An outage of 47 hours loses nothing: repeated messages are applied late, once (M-6.3, G-23)', async () => {
  const user = await scene.api.user();
  const bought = paymentOf(user.id);
  const renewed = paymentOf(user.id, { reference: bought.reference, paidAt: after(1) });
  const cancelled = { type: 'subscr_cancel', reference: bought.reference, at: after(1.5) };
  const bodies = [wallet.payment(bought), wallet.payment(renewed), wallet.event(cancelled)];
  // A second payment in one period buys another one.
  const endsAt = after(61);
  // For four days the gateway repeats unanswered messages, in any order.
  scene.api.context.clock.advance(47 * 3_600);
  for (const body of [...bodies.toReversed(), ...bodies]) expect((await post(body)).status).toBe(200);
  await scene.work();
  for (const { id, state } of await eventsOf(bought.reference)) if (state === 'parked') await scene.apply(id);
  scene.api.context.clock.advance(-47 * 3_600);
  expect(await held(user.id)).toMatchObject([
    { gatewayStatus: 'Cancelled', cyclesCompleted: 2, endsAt, autoRenew: false },
  ]);
});

test('A lifecycle in any message order has the same result: paid, renewed, cancelled, refunded (M-6.3)', async () => {
  const life = (userId: number, round: number): string[] => {
    const reference = `LIFE${round}`;
    const number = (n: number) => ({ reference, transactionId: `L${round}-${n}` });
    const event = (type: string, days: number) => wallet.event({ type, reference, at: after(days) });
    const back = { transactionId: `L${round}-9`, parentId: `L${round}-2`, reference, total: '9.99' };
    return [
      event('subscr_signup', -0.01),
      wallet.payment(paymentOf(userId, { ...number(1), status: 'Pending' })),
      wallet.payment(paymentOf(userId, number(1))),
      event('recurring_payment_suspended', 10),
      wallet.payment(paymentOf(userId, { ...number(2), paidAt: after(30) })),
      event('subscr_cancel', 40),
      wallet.refunded({ ...back, currency: 'EUR', at: after(41), status: 'Refunded' }),
    ];
  };
  const sequences: string[] = [];
  const states: unknown[] = [];
  for (let round = 0; round < 6; round += 1) {
    const user = await scene.api.user();
    const messages = life(user.id, round);
    const { order, shuffled } =
      round === 0 ? { order: 'as sent', shuffled: messages } : twiceInAnyOrder(messages);
    for (const message of shuffled) expect((await post(message)).status).toBe(200);
    await scene.work();
    for (const { id, state } of await eventsOf(`LIFE${round}`)) if (state === 'parked') await scene.apply(id);
    const [subscription] = await held(user.id);
    const payments = await scene.api.context.postgres.db.any(
      sql`SELECT kind, status, amount_minor, paid_at FROM payment WHERE user_id = ${user.id} ORDER BY paid_at, kind`,
    );
    const {
      gatewayStatus: status,
      intent,
      endsAt: end,
      autoRenew: renews,
      cyclesCompleted: cycles,
    } = subscription ?? {};
    sequences.push(order);
    states.push({ status, intent, end, renews, cycles, payments });
  }
  expect(states[0]).toMatchObject({
    status: 'Expired',
    intent: 'Cancelled',
    end: after(41),
    renews: false,
    payments: [{ status: 'COMPLETED' }, { status: 'REFUNDED' }, { kind: 'refund', amountMinor: -999 }],
  });
  for (const [i, state] of states.entries()) expect([sequences[i], state]).toEqual([sequences[i], states[0]]);
});

test('A signed pause is sent to the legacy interface, and a resumption to REST where the legacy one does not know the profile (M-4.8.g1)', async () => {
  const { id, reference, signed } = await scene.subscribe({ gateway: 'wallet' });
  const profile = {
    reference,
    status: 'Active' as const,
    total: '9.99',
    currency: 'EUR',
    nextBillingAt: after(20),
  };
  wallet.profiles.set(reference, { ...profile, known: ['nvp'] });
  await signed.change('pause_subscription', { subscription_id: id });
  expect(await scene.stored(id)).toMatchObject({ gatewayStatus: 'paused' });
  expect(wallet.profiles.get(reference)?.status).toBe('Suspended');
  wallet.profiles.set(reference, { ...profile, status: 'Suspended', known: ['rest'] });
  await signed.change('resume_subscription', { subscription_id: id });
  expect(wallet.profiles.get(reference)?.status).toBe('Active');
  expect(await scene.stored(id)).toMatchObject({ gatewayStatus: 'Running' });
});

test('After a migration to the card the account is deleted only once the unreachable wallet has confirmed the end (G-22, G-41)', async () => {
  const { id, reference, signed, user } = await scene.subscribe({ gateway: 'wallet' });
  const terms = { total: '9.99', currency: 'EUR', nextBillingAt: after(20) };
  wallet.profiles.set(reference, { reference, status: 'Active', ...terms, known: ['nvp', 'rest'] });
  const target = { subscription_id: id, target_pcode: 'EFB_PRO_M' };
  const { body } = await signed.change('migration_start', target);
  await wallet.setMode('down');
  const sold = { userId: user.id, productCode: 'EFB_PRO_M', total: '9.99', currency: 'EUR' };
  const order = { number: '6001', reference: 'LIC6001', status: 'COMPLETE', paidAt: after(0), at: after(0) };
  const externalReference = String(body['intent_id']);
  const ipn = scene.card.ipn({ ...sold, ...order, endsAt: after(30), externalReference });
  await post(ipn, '/api/webhooks/2checkout/ipn');
  await expect(scene.work()).rejects.toThrow('does not have order');
  const moved = (await held(user.id)).find((one) => one['reference'] === 'LIC6001');
  await signed.change('cancel_subscription', { subscription_id: moved?.['id'] });
  const remove = (data: object) => scene.api.call('deleteAccount', { token: user.token, data });
  const { confirmationToken } = (await remove({ password: user.password })).body;
  const refused = await remove({ confirmationToken });
  expect(codeOf(refused)).toEqual([409, 'SUBSCRIPTION_RUNNING']);
  expect(refused.body).toMatchObject({
    subscriptions: [expect.stringContaining(`subscription ${id}, paypal): its cancellation waits`)],
  });
  await wallet.setMode('ok');
  await scene.work();
  expect(wallet.profiles.get(reference)?.status).toBe('Cancelled');
  expect((await remove({ confirmationToken })).status).toBe(200);
});

test('Wrong, late, repeated and missing wallet answers and waiting messages are explained by subscription show (M-2.10.o2)', async () => {
  const show = async (id: number) => (await ops(scene.api.context, `subscription show --id ${id}`)).out;
  for (const [mode, reason] of [
    ['wrong', 'did not answer'],
    ['never', 'did not answer'],
    ['slow', 'did not answer'],
    ['twice', 'did not answer'],
    ['down', 'was not reached'],
  ] as const) {
    const { id, reference, signed } = await scene.subscribe({ gateway: 'wallet' });
    const terms = { total: '9.99', currency: 'EUR', nextBillingAt: after(20) };
    wallet.profiles.set(reference, { reference, status: 'Active', ...terms, known: ['nvp', 'rest'] });
    await wallet.setMode('down');
    await signed.change('pause_subscription', { subscription_id: id });
    await wallet.setMode(mode);
    const { orderId } = await scene.api.context.postgres.db.one<{ orderId: number }>(
      sql`SELECT id AS order_id FROM gateway_order WHERE subscription_id = ${id}`,
    );
    const timeoutMs = mode === 'down' ? 60_000 : 600;
    expect((await syncOrder(scene.api.context, orderId, { timeoutMs })).state).toBe('failed');
    const out = await show(id);
    expect(out).toMatch(/ pause +pending +2 /);
    expect(out).toContain(`pause: the gateway ${reason}`);
    expect(out).toMatch(/^status +ACTIVE_PAUSED$/m);
    await wallet.setMode('ok');
    await scene.work();
    expect(await show(id)).toMatch(/ pause +done /);
    expect(wallet.profiles.get(reference)?.status).toBe('Suspended');
  }
  const { id, reference, user } = await scene.subscribe({ gateway: 'wallet' });
  await post(wallet.payment(paymentOf(user.id, { reference, total: '0.01' })));
  expect(await show(id)).toMatch(/ ipn +received/);
  await scene.work();
  expect(await show(id)).toMatch(/ ipn +\w+ +0.01 EUR was paid for EFB_PRO_M, which costs 9.99 EUR\./);
});
