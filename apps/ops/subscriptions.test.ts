import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { syncOrder } from '#commands/subscriptions/sync-order.ts';
import { ops } from '#test/support/ops.ts';
import { codeOf, subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';
import gatewayReconcile from '#workers/jobs/gateway-reconcile.ts';
import { runOnce } from '#test/support/run-once.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

const run = (line: string, ...more: string[]) => ops(scene.api.context, line, ...more);
const db = () => scene.api.context.postgres.db;
const now = () => scene.api.context.clock.now();
const after = (days: number) => new Date(now().getTime() + days * 86_400_000);
const reconcile = () => runOnce(gatewayReconcile, scene.api.context, { slot: now().toISOString() });

test('Products and promo codes are created, listed and disabled (G-05)', async () => {
  const created = await run(
    'product create --code EFB_PLUS_M --level 2 --library-quota-mb 50 --duration-days 30 --price 7.49 --currency CHF --json --title',
    'Plus',
  );
  expect(created.json).toMatchObject({
    ok: true,
    product: { code: 'EFB_PLUS_M', price: 7.49, libraryQuotaMb: 50 },
  });
  const { json } = await run('product list --json');
  expect(json['products']).toContainEqual(
    expect.objectContaining({
      code: 'EFB_PLUS_M',
      title: 'Plus',
      level: 2,
      price: 7.49,
      currency: 'CHF',
      durationDays: 30,
    }),
  );
  expect(
    (await run('product create --code EFB_PLUS_M --level 2 --duration-days 30 --price 1 --title x')).status,
  ).toBe(1);
  expect(
    (await run('promo create --code fly10 --percent 10 --product EFB_PLUS_M --json')).json,
  ).toMatchObject({
    promo: { code: 'FLY10', percent: 10, productCode: 'EFB_PLUS_M', isRecurring: false },
  });
  expect((await run('promo create --code FLY10 --percent 5 --json')).json).toMatchObject({
    error: { code: 'PROMO_EXISTS' },
  });
  expect((await run('promo create --code X --percent 5 --product NONE')).status).toBe(1);
  await run('promo disable --code fly10');
  expect((await run('promo list --json')).json['promos']).toMatchObject([{ code: 'FLY10', isActive: false }]);
  expect((await run('promo disable --code none')).status).toBe(1);
});

test('Wrong, late, repeated and missing answers of a gateway are shown with their order by subscription show (M-2.10.o2, G-05)', async () => {
  for (const [mode, reason] of [
    ['wrong', 'did not answer'],
    ['never', 'did not answer'],
    ['slow', 'did not answer'],
    ['twice', 'did not answer'],
    ['down', 'was not reached'],
  ] as const) {
    const { signed, id, reference } = await scene.subscribe();
    await scene.card.setMode('down');
    await signed.change('pause_subscription', { subscription_id: id });
    await scene.card.setMode(mode);
    const { orderId } = await db().one<{ orderId: number }>(
      sql`SELECT id AS order_id FROM gateway_order WHERE subscription_id = ${id}`,
    );
    const timeoutMs = mode === 'down' ? 60_000 : 300;
    expect((await syncOrder(scene.api.context, orderId, { timeoutMs })).state).toBe('failed');
    const { out, json } = {
      ...(await run(`subscription show --id ${id}`)),
      json: (await run(`subscription show --id ${id} --json`)).json,
    };
    expect(out).toMatch(/pause +pending +2 +The card gateway \w/);
    expect(out).toContain(`pause: the gateway ${reason}`);
    expect(json).toMatchObject({
      subscription: { status: 'ACTIVE_PAUSED' },
      orders: [{ state: 'pending', attempts: 2 }],
    });
    await scene.card.setMode('ok');
    await scene.work();
    expect((await run(`subscription show --id ${id}`)).out).toMatch(/pause +done +3/);
    expect(scene.card.licences.get(reference)?.resumeAt).not.toBeNull();
  }
  expect((await run('subscription show --id 999999')).status).toBe(1);
});

test('Parked messages are listed and can be applied again (G-23)', async () => {
  const user = await scene.api.user();
  const order = {
    number: '3001',
    reference: 'PARK1',
    userId: user.id,
    productCode: 'EFB_LATER_M',
    status: 'COMPLETE',
    total: '5.00',
    currency: 'EUR',
    paidAt: now(),
    endsAt: after(30),
    at: now(),
  };
  await scene.api.fetch('/api/webhooks/2checkout/ipn', { method: 'POST', body: scene.card.ipn(order) });
  await scene.work();
  const { json } = await run('webhooks list --state parked --json');
  const [parked] = json['webhooks'] as { id: number; reference: string; reason: string }[];
  expect(parked).toMatchObject({ reference: 'PARK1', reason: 'There is no product EFB_LATER_M.' });
  expect(JSON.stringify(json)).not.toContain('renee@example.org');
  await run('product create --code EFB_LATER_M --level 1 --duration-days 30 --price 5 --title Later');
  expect((await run(`webhooks retry --id ${parked?.id} --json`)).json).toEqual({ ok: true, id: parked?.id });
  await scene.apply(parked?.id ?? 0);
  expect((await run('webhooks list --json')).json['webhooks']).toContainEqual(
    expect.objectContaining({ id: parked?.id, state: 'applied' }),
  );
  expect((await run(`webhooks retry --id ${parked?.id}`)).status).toBe(1);
  expect((await run('webhooks retry --id 999999')).status).toBe(1);
});

test('A signature and a token from the operator are accepted (G-20)', async () => {
  const { signed, user, id } = await scene.subscribe();
  const { json } = await run(
    `subscription sign --email ${user.email} --action pause_subscription --id ${id} --json`,
  );
  const headers = {
    'x-api-key': String(json['X-API-Key']),
    'x-timestamp': String(json['X-Timestamp']),
    'x-signature': String(json['X-Signature']),
  };
  const data = { subscription_id: id, confirmation_token: json['confirmation_token'] };
  expect(codeOf(await signed.call('pause_subscription', { method: 'POST', headers, data }))).toEqual([
    200,
    'none',
  ]);
});

test('A cancellation by the operator is cancelled at the gateway, too (G-05)', async () => {
  const { id, reference } = await scene.subscribe();
  await run(`subscription cancel --id ${id}`);
  await scene.work();
  expect(scene.card.licences.get(reference)?.isEnabled).toBe(false);
});

test('After an outage of 47 hours late and lost messages lead to the state of the gateway (G-23)', async () => {
  const users = [await scene.api.user(), await scene.api.user(), await scene.api.user()];
  const bodies = users.map((user, i) =>
    scene.card.ipn({
      number: `40${i}`,
      reference: `OUT${i}`,
      userId: user.id,
      productCode: 'EFB_PRO_M',
      status: 'COMPLETE',
      total: '9.99',
      currency: 'EUR',
      paidAt: now(),
      endsAt: after(30),
      at: now(),
    }),
  );
  scene.api.context.clock.advance(47 * 3_600);
  // The gateway repeats two of them; the third is lost.
  for (const body of [bodies[1], bodies[0], bodies[1]])
    await scene.api.fetch('/api/webhooks/2checkout/ipn', { method: 'POST', body: body ?? '' });
  await scene.work();
  await reconcile();
  const levels = await Promise.all(
    users.map(
      async ({ id }) => (await scene.api.running.services.identities.byUserId(id))?.entitlement.level,
    ),
  );
  expect(levels).toEqual([3, 3, 3]);
  const before = await db().any(sql`SELECT * FROM subscription_history ORDER BY id`);
  await reconcile();
  expect(await db().any(sql`SELECT * FROM subscription_history ORDER BY id`)).toEqual(before);
  scene.api.context.clock.advance(-47 * 3_600);
});

test('The nightly run adopts a change at the gateway, except one still to be delivered', async () => {
  const { id, reference, signed } = await scene.subscribe();
  const licence = scene.card.licences.get(reference);
  if (licence) Object.assign(licence, { endsAt: after(90), isRecurring: false });
  await reconcile();
  expect(await scene.stored(id)).toMatchObject({ endsAt: after(90), autoRenew: false });
  await scene.card.setMode('down');
  await signed.change('cancel_subscription', { subscription_id: id });
  await expect(reconcile()).rejects.toThrow('not reconciled: card');
  await scene.card.setMode('ok');
  if (licence) licence.endsAt = after(5);
  await reconcile();
  expect(await scene.stored(id)).toMatchObject({ endsAt: after(90), gatewayStatus: 'Cancelled' });
});

test('The nightly run restores nothing refunded and keeps what the operator has added (G-05)', async () => {
  const { id, reference, user } = await scene.subscribe({ days: -1, renews: true });
  const times = { paidAt: now(), at: now(), endsAt: after(30) };
  const sold = { userId: user.id, productCode: 'EFB_PRO_M', total: '9.99', currency: 'EUR' };
  const post = async (order: { status: string; at: Date; extra?: Record<string, string> }) => {
    const body = scene.card.ipn({ number: '6100', reference, ...sold, ...times, ...order });
    await scene.api.fetch('/api/webhooks/2checkout/ipn', { method: 'POST', body });
    await scene.work();
  };
  await post({ status: 'COMPLETE', at: now() });
  await run(`subscription extend --id ${id} --days 10`);
  // An older message arrives after it.
  await post({ status: 'PAYMENT_RECEIVED', at: after(-0.1) });
  expect(await scene.stored(id)).toMatchObject({ endsAt: after(40) });
  expect(scene.card.licences.get(reference)?.endsAt).toEqual(after(40));
  await reconcile();
  expect(await scene.stored(id)).toMatchObject({ endsAt: after(40) });
  await post({ status: 'REFUND', at: after(0.01), extra: { REFUND_TYPE: 'TOTAL' } });
  scene.api.context.clock.advance(3_600);
  await reconcile();
  scene.api.context.clock.advance(-3_600);
  expect(await scene.stored(id)).toMatchObject({ gatewayStatus: 'Expired', endsAt: after(0.01) });
});

test('A payment from before the operator’s cancellation still extends the access, and renews nothing', async () => {
  const { id, reference, user } = await scene.subscribe();
  await run(`subscription cancel --id ${id}`);
  const sold = { userId: user.id, productCode: 'EFB_PRO_M', total: '9.99', currency: 'EUR' };
  const times = { paidAt: after(-0.2), at: after(-0.1), endsAt: after(50) };
  const body = scene.card.ipn({ number: '6200', reference, status: 'COMPLETE', ...sold, ...times });
  await scene.api.fetch('/api/webhooks/2checkout/ipn', { method: 'POST', body });
  await scene.work();
  expect(await scene.stored(id)).toMatchObject({
    gatewayStatus: 'Cancelled',
    autoRenew: false,
    endsAt: after(50),
  });
});

test('Each event in a lifecycle is mailed once (G-23)', async () => {
  const { user, signed, id, reference } = await scene.subscribe();
  await signed.change('pause_subscription', { subscription_id: id });
  await signed.change('resume_subscription', { subscription_id: id });
  const order = {
    number: '6001',
    reference,
    userId: user.id,
    productCode: 'EFB_PRO_M',
    total: '9.99',
    currency: 'EUR',
  };
  const post = async (status: string, days: number, extra = {}) => {
    const times = { paidAt: after(days), at: after(days), endsAt: after(days + 30) };
    const body = scene.card.ipn({ ...order, ...times, status, extra });
    for (let copy = 0; copy < 3; copy += 1)
      await scene.api.fetch('/api/webhooks/2checkout/ipn', { method: 'POST', body });
    await scene.work();
  };
  await post('COMPLETE', 20);
  await post('REFUND', 21, { REFUND_TYPE: 'TOTAL' });
  const mails = await db().any<{ subject: string }>(
    sql`SELECT subject FROM outgoing_mail WHERE lower(recipient) = lower(${user.email}) ORDER BY id`,
  );
  expect(mails.map(({ subject }) => subject)).toEqual([
    'Confirm your email address',
    'Your subscription is paused',
    'Your subscription continues',
    'Your subscription was renewed',
    'Your payment was refunded',
  ]);
});
