import { afterAll, beforeAll, expect, test } from 'vitest';
import { schemaBefore } from '#test/support/older-schema.ts';
import type { OlderSchema } from '#test/support/older-schema.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { gatewayOrderRepo } from './gateway-orders.ts';

let older: OlderSchema;
beforeAll(async () => {
  older = await schemaBefore('0183_gateway_order_sent_at.sql');
});
afterAll(() => older.close());

const dayMs = 86_400_000;
const createdAt = new Date(Date.now() - dayMs);

test('An order that the version before has sent counts as sent at the upgrade, and again whenever that version sends it', async () => {
  const { postgres } = older;
  const insert = insertBySql<{ id: number }>(postgres);
  const { id: userId } = await insert`
    INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode, api_key_sealed, api_key_hash)
    VALUES ('a@example.org', 'x', 'A', 'B', 'ABC', 'x', 'x') RETURNING id`;
  const { id: subscriptionId } = await insert`
    INSERT INTO subscription (user_id, product_code, gateway, reference, price_paid_minor, currency, starts_at, ends_at)
    VALUES (${userId}, 'EFB_PRO_M', '2checkout', 'A', 999, 'EUR', ${createdAt}, ${createdAt}) RETURNING id`;
  const order = async (wasSent: boolean) => {
    const { id } = await insert`
      INSERT INTO gateway_order (subscription_id, verb, was_sent, attempts, created_at)
      VALUES (${subscriptionId}, 'changePlan', ${wasSent}, 3, ${createdAt}) RETURNING id`;
    return id;
  };
  const [tried, untried] = [await order(true), await order(false)];
  const beforeMs = Date.now();
  await older.upgrade();
  const sentMs = async (id: number) =>
    (await gatewayOrderRepo(postgres.db).byId(id))?.sentAt?.getTime() ?? null;
  expect(await sentMs(tried)).toBeGreaterThanOrEqual(beforeMs);
  expect(await sentMs(untried)).toBeNull();

  const send = (id: number) => runSql(postgres)`UPDATE gateway_order SET was_sent = true WHERE id = ${id}`;
  const fail = (id: number) => runSql(postgres)`
    UPDATE gateway_order SET attempts = attempts + 1, last_error = 'x', was_sent = true WHERE id = ${id}`;
  for (const id of [tried, untried]) {
    await runSql(postgres)`UPDATE gateway_order SET sent_at = sent_at - interval '1 day'`;
    await send(id);
    await fail(id);
    expect(await sentMs(id)).toBeGreaterThanOrEqual(beforeMs);
  }
});
