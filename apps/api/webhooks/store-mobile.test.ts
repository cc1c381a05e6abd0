import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { startSimulatedStore } from '#tools/simulated-gateways/store.ts';
import type { SimulatedStore } from '#tools/simulated-gateways/store.ts';
import { ops } from '#test/support/ops.ts';
import { runSql } from '#test/support/sql.ts';
import { subscriptionScene } from '#test/support/subscriptions.ts';
import type { SubscriptionScene } from '#test/support/subscriptions.ts';

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

const path = '/api/webhooks/apple/mobile';
const post = (body: string) =>
  scene.api.fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
const nudge = (transactionId: unknown) => post(JSON.stringify({ transactionId }));
const held = (userId: number) =>
  scene.api.context.postgres.db.any<Record<string, unknown>>(
    sql`SELECT * FROM subscription WHERE user_id = ${userId} ORDER BY id`,
  );

test('A report from an app triggers a request to the store and proves nothing itself (M-6.5)', async () => {
  const user = await scene.api.user();
  const { token } = await scene.api.context.postgres.db.one<{ token: string }>(
    sql`SELECT store_account_token AS token FROM app_user WHERE id = ${user.id}`,
  );
  const now = scene.api.context.clock.now();
  const endsAt = new Date(now.getTime() + 30 * 86_400_000);
  const bought = { productCode: 'EFB_PRO_M', price: 9_990, currency: 'EUR', purchasedAt: now, endsAt };
  const purchase = { reference: '7000', transactionId: '7001', accountToken: token, ...bought };
  // The store knows a purchase whose notification never arrived.
  store.notification({ id: 'lost', type: 'SUBSCRIBED', at: now, purchase });
  const answers = await Promise.all(Array.from({ length: 20 }, () => nudge('7001')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await nudge('7002')).status).toBe(200);
  expect(await held(user.id)).toEqual([]);
  const before = store.requests.length;
  await scene.work();
  // One request for all copies, and two for the transaction unknown to the store.
  expect(store.requests.length - before).toBe(3);
  expect(await held(user.id)).toMatchObject([
    {
      reference: '7000',
      gateway: 'apple',
      gatewayStatus: 'Running',
      endsAt,
      pricePaidMinor: 999,
    },
  ]);
});

test('Anything but a transaction id is refused, and a GET is answered (M-6.5)', async () => {
  for (const wrong of [
    '',
    'x',
    '{}',
    '{"transactionId":"../1"}',
    '{"transactionId":"' + '1'.repeat(33) + '"}',
  ])
    expect([wrong, (await post(wrong)).status]).toEqual([wrong, 401]);
  expect((await post(`{"transactionId":"1","x":"${'x'.repeat(5_000)}"}`)).status).toBe(413);
  expect((await scene.api.fetch(path)).status).toBe(200);
});

test('A report that the store cannot confirm waits and changes nothing, and subscription show names it (M-2.10.o2, M-6.5)', async () => {
  const { id } = await scene.subscribe({ gateway: 'store' });
  const { context } = scene.api;
  const now = context.clock.now();
  const endsAt = new Date(now.getTime() + 50 * 86_400_000);
  const { reference } = (await scene.stored(id)) as { reference: string };
  await runSql(context.postgres)`UPDATE subscription SET reference = '7100' WHERE reference = ${reference}`;
  const bought = { productCode: 'EFB_PRO_M', price: 9_990, currency: 'EUR', purchasedAt: now, endsAt };
  const purchase = { reference: '7100', transactionId: '7101', accountToken: randomUUID(), ...bought };
  store.notification({ id: 'lost too', type: 'DID_RENEW', at: now, purchase });
  const before = await scene.stored(id);
  expect((await nudge('7101')).status).toBe(200);
  for (const mode of ['wrong', 'twice', 'down'] as const) {
    await store.setMode(mode);
    await expect(scene.work()).rejects.toThrow('The store gateway');
    expect(await scene.stored(id)).toEqual(before);
    expect((await ops(context, 'webhooks list --state received')).out).toContain('mobile');
    expect((await ops(context, `subscription show --id ${id}`)).out).toMatch(/^status +ACTIVE$/m);
  }
  await store.setMode('ok');
  await scene.work();
  expect(await scene.stored(id)).toMatchObject({ endsAt });
  const { out } = await ops(context, `subscription show --id ${id}`);
  expect(out).toMatch(/mobile\s+applied/);
});
