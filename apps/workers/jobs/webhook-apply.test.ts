/** Messages that cannot be applied yet: their owner, who is notified, and when they are deleted. */
import { extendSubscription } from '#commands/subscriptions/by-operator.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOfSecret, newSecret } from '#store/auth/secrets.ts';
import { sql } from '#store/postgres/sql.ts';
import { gatewayBacklogRepo } from '#store/postgres/subscriptions/gateway-orders.ts';
import type { TestUser } from '#test/api.ts';
import { ops } from '#test/support/ops.ts';
import { runSql } from '#test/support/sql.ts';
import { subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';
import { runOnce } from '#test/support/run-once.ts';
import { mailedLink, verifyAddress } from '#test/support/mailed-links.ts';
import sweepExpired from './sweep-expired.ts';

let scene: SubscriptionScene;
beforeAll(async () => {
  scene = await subscriptionScene();
});
afterAll(() => scene.close());

const db = () => scene.api.context.postgres.db;
const now = () => scene.api.context.clock.now();

/** A purchase in the gateway's shop, which knows the buyer's email address and perhaps an account. */
const buy = async (reference: string, email: string, userId: number | '' = '') => {
  const body = scene.card.ipn({
    number: `N-${reference}`,
    reference,
    userId: 0,
    productCode: 'EFB_PRO_M',
    status: 'COMPLETE',
    total: '9.99',
    currency: 'EUR',
    paidAt: now(),
    endsAt: new Date(now().getTime() + 30 * 86_400_000),
    at: now(),
    extra: { CUSTOMEREMAIL: email, EXTERNAL_CUSTOMER_REFERENCE: String(userId) },
  });
  await scene.api.fetch('/api/webhooks/2checkout/ipn', { method: 'POST', body });
  await scene.work();
};
const messages = (reference: string) =>
  db().any<{ state: string; userId: number | null; email: string | null }>(
    sql`SELECT state, user_id, email FROM gateway_event WHERE reference = ${reference} ORDER BY id`,
  );
const parkedNow = async () =>
  (await gatewayBacklogRepo(db()).of(now())).reduce((sum, each) => sum + each.parkedMessages, 0);

const resetPassword = async (user: TestUser) => {
  const token = newSecret();
  await runSql(scene.api.context.postgres)`
    INSERT INTO password_reset (user_id, token_hash, return_url, created_at, expires_at)
    VALUES (${user.id}, ${hashOfSecret(token)}, NULL, ${now()}, ${new Date(now().getTime() + 3_600_000)})`;
  const devKey = await scene.api.key({});
  const answer = await scene.api.call('resetPassword', { devKey, data: { token, password: 'brand new' } });
  expect(answer.status).toBe(200);
};

const run = (line: string) => ops(scene.api.context, `webhooks retry ${line} --json`);

test('A purchase without an account is applied once the account with its address is verified, or by an operator', async () => {
  const early = await scene.api.user();
  const other = await scene.api.user();
  await buy('EARLY1', early.email.toUpperCase());
  await buy('EARLY2', 'other@mail.example');
  expect(await messages('EARLY1')).toEqual([
    { state: 'parked', userId: null, email: early.email.toUpperCase() },
  ]);
  expect(await parkedNow()).toBe(2);

  await resetPassword(early);
  await scene.work();
  for (const message of await db().any<{ id: number }>(sql`SELECT id FROM gateway_event`))
    await scene.apply(message.id);
  expect(await messages('EARLY1')).toEqual([{ state: 'applied', userId: early.id, email: null }]);
  expect((await scene.mails(early)).map(({ subject }) => subject)).toEqual(['Your subscription is active']);
  expect(await messages('EARLY2')).toMatchObject([{ state: 'parked', userId: null }]);

  const [{ id } = { id: 0 }] = await db().any<{ id: number }>(
    sql`SELECT id FROM gateway_event WHERE reference = 'EARLY2'`,
  );
  expect((await run('')).status).toBe(2);
  expect((await run(`--email ${other.email}`)).status).toBe(1);
  expect((await run(`--id ${id} --email ${other.email}`)).json).toMatchObject({ ok: true, id });
  await scene.apply(id);
  expect(await messages('EARLY2')).toMatchObject([{ state: 'applied', userId: other.id }]);
  await buy('EARLY3', other.email);
  expect((await run(`--email ${other.email}`)).json).toMatchObject({ ok: true });
  expect(await parkedNow()).toBe(1);
});

test('The mailed link that verifies an address applies earlier purchases with it, while opening the link does not', async () => {
  const [early, other] = [await scene.api.user(), await scene.api.user()];
  await buy('VERIFIED1', early.email);
  await buy('VERIFIED2', other.email);
  await scene.api.fetch(await mailedLink(scene.api, early.email));
  await scene.work();
  expect(await messages('VERIFIED1')).toMatchObject([{ state: 'parked', userId: null }]);
  await verifyAddress(scene.api, early);
  const [{ id } = { id: 0 }] = await db().any<{ id: number }>(
    sql`SELECT id FROM gateway_event WHERE reference = 'VERIFIED1'`,
  );
  await scene.apply(id);
  expect(await messages('VERIFIED1')).toMatchObject([{ state: 'applied', userId: early.id }]);
  expect(await messages('VERIFIED2')).toMatchObject([{ state: 'parked', userId: null }]);
});

test('An account’s parked message is exported and deleted with it, and one without an account is deleted after 180 days (G-41)', async () => {
  const user = await scene.api.user();
  const order = { number: 'N-LATER', reference: 'LATER', userId: user.id, productCode: 'EFB_LATER_M' };
  const paid = {
    status: 'COMPLETE',
    total: '5.00',
    currency: 'EUR',
    paidAt: now(),
    endsAt: now(),
    at: now(),
  };
  const body = scene.card.ipn({ ...order, ...paid });
  await scene.api.fetch('/api/webhooks/2checkout/ipn', { method: 'POST', body });
  await buy('NOBODY', 'nobody@mail.example');
  expect(await messages('LATER')).toMatchObject([{ state: 'parked', userId: user.id }]);
  const { body: exported } = await scene.api.call('exportMyData', { token: user.token });
  expect(JSON.stringify(exported)).toContain('N-LATER');

  const remove = (data: Record<string, string>) =>
    scene.api.call('deleteAccount', { token: user.token, data });
  const { body: asked } = await remove({ password: user.password });
  expect((await remove({ confirmationToken: String(asked['confirmationToken']) })).status).toBe(200);
  expect(await messages('LATER')).toEqual([]);

  const sweep = () => runOnce(sweepExpired, scene.api.context, { slot: now().toISOString() });
  scene.api.context.clock.advance(179 * 86_400);
  await sweep();
  expect(await messages('NOBODY')).toHaveLength(1);
  scene.api.context.clock.advance(2 * 86_400);
  await sweep();
  expect(await messages('NOBODY')).toEqual([]);
});

test('A refused order is counted until a newer one is requested, not counting a moved end, or a week has passed', async () => {
  const refused = async () =>
    (await gatewayBacklogRepo(db()).of(now())).find(({ gateway }) => gateway === '2checkout');
  const { id, reference, signed } = await scene.subscribe();
  scene.card.licences.delete(reference);
  await signed.change('pause_subscription', { subscription_id: id });
  expect(await refused()).toMatchObject({ waitingOrders: 0, refusedOrders: 1 });
  const { context } = scene.api;
  await context.postgres.transaction((tx) => extendSubscription(tx, context, { id, days: 1 }));
  expect(await refused()).toMatchObject({ waitingOrders: 1, refusedOrders: 1 });
  scene.api.context.clock.advance(8 * 86_400);
  expect(await refused()).toMatchObject({ refusedOrders: 0 });
});
