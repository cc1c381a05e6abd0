import { afterAll, beforeAll, expect, test } from 'vitest';
import { seen } from '#domain/subscriptions/agreement.ts';
import { schemaBefore } from '#test/support/older-schema.ts';
import type { OlderSchema } from '#test/support/older-schema.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { sql } from '../sql.ts';
import { ledgerRepo } from './ledger.ts';
import { subscriptionRecordRepo } from './records.ts';

let older: OlderSchema;
beforeAll(async () => {
  older = await schemaBefore('0081_agreement.sql');
});
afterAll(() => older.close());

const at = (text: string) => new Date(`${text}T12:00:00Z`);

test('Existing subscriptions keep every payment, their end, price and status, and the gateway is asked where rows do not suffice', async () => {
  const { postgres } = older;
  const insert = insertBySql<{ id: number }>(postgres);
  const { id: userId } = await insert`
    INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode, api_key)
    VALUES ('a@example.org', 'x', 'A', 'B', 'ABC', 'API-TEST-TEST-TEST') RETURNING id`;
  const add = async (reference: string, row: { status?: string; renews?: boolean; end: string }) => {
    const { status = 'Running', renews = true, end } = row;
    const { id } = await insert`
      INSERT INTO subscription (user_id, product_code, gateway, reference, gateway_status, intent, auto_renew,
        price_paid_minor, currency, starts_at, ends_at, clocks)
      VALUES (${userId}, 'EFB_PRO_M', '2checkout', ${reference}, ${status},
        ${status === 'Expired' ? 'Running' : status}, ${renews}, 999, 'EUR', ${at('2026-08-01')}, ${at(end)},
        ${JSON.stringify({ endsAt: '2026-08-20T12:00:00.000Z e1' })}) RETURNING id`;
    return id;
  };
  const order = (id: number, verb: string, state: string) =>
    runSql(postgres)`INSERT INTO gateway_order (subscription_id, verb, state, created_at)
      VALUES (${id}, ${verb}, ${state}, ${at('2026-08-10')})`;
  const pay = (
    id: number,
    number: string,
    kind: string,
    status: string,
    minor: number,
    day: string,
    reported = day,
  ) =>
    runSql(
      postgres,
    )`INSERT INTO payment (user_id, subscription_id, gateway, transaction_id, kind, status, amount_minor,
        currency, paid_at, reported_at)
      VALUES (${userId}, ${id}, '2checkout', ${number}, ${kind}, ${status}, ${minor}, 'EUR', ${at(day)}, ${at(reported)})`;
  const plain = await add('PLAIN', { end: '2026-10-01' });
  await pay(plain, '1', 'payment', 'COMPLETED', 999, '2026-08-01');
  await pay(plain, '2', 'payment', 'COMPLETED', 999, '2026-08-31');
  await pay(plain, '2', 'refund', 'COMPLETED', -100, '2026-09-01');
  const unpaid = await add('UNPAID', { end: '2026-09-10' });
  const refunded = await add('REFUNDED', { status: 'Expired', renews: false, end: '2026-08-03' });
  await pay(refunded, '3', 'payment', 'REFUNDED', 999, '2026-08-01', '2026-08-03');
  await pay(refunded, '3', 'refund', 'COMPLETED', -999, '2026-08-03');
  const cancelling = await add('PENDING', { status: 'Cancelled', renews: false, end: '2026-09-30' });
  await order(cancelling, 'cancel', 'pending');
  const denied = await add('DENIED', { status: 'Cancelled', renews: false, end: '2026-09-30' });
  await order(denied, 'cancel', 'refused');

  await older.upgrade();
  const stored = await postgres.db.any(
    sql`SELECT transaction_id, kind, status, amount_minor FROM payment ORDER BY transaction_id, kind`,
  );
  expect(stored.map((row) => Object.values(row))).toEqual([
    ['1', 'payment', 'COMPLETED', 999],
    ['2', 'payment', 'COMPLETED', 999],
    ['2', 'refund', 'COMPLETED', -100],
    ['3', 'payment', 'REFUNDED', 999],
    ['3', 'refund', 'COMPLETED', -999],
  ]);
  const asked = await postgres.db.any<{ id: number }>(
    sql`SELECT subscription_id AS id FROM agreement WHERE is_uncertain ORDER BY id`,
  );
  expect(asked.map(({ id }) => id)).toEqual([refunded, cancelling, denied]);
  const shown = async (id: number) => {
    const record = await subscriptionRecordRepo(postgres.db).byId(id);
    if (!record) throw new Error(`There is no subscription ${id}.`);
    const entries = await ledgerRepo(postgres.db).of(id);
    const { gatewayStatus, autoRenew, endsAt, pricePaidMinor } = seen(record, {
      now: at('2026-09-16'),
      entries,
      product: record.product,
    });
    return { gatewayStatus, autoRenew, endsAt, pricePaidMinor };
  };
  const same = { gatewayStatus: 'Running', autoRenew: true, pricePaidMinor: 999 };
  expect(await shown(plain)).toEqual({ ...same, endsAt: at('2026-10-01') });
  expect(await shown(unpaid)).toEqual({ ...same, endsAt: at('2026-09-10') });
  expect(await shown(refunded)).toMatchObject({ gatewayStatus: 'Expired', endsAt: at('2026-08-03') });
  const cancelled = { ...same, gatewayStatus: 'Cancelled', autoRenew: false, endsAt: at('2026-09-30') };
  expect(await shown(cancelling)).toEqual(cancelled);
  // A refused cancellation was none.
  expect(await shown(denied)).toEqual({ ...cancelled, gatewayStatus: 'Running', autoRenew: true });
  await expect(runSql(postgres)`UPDATE ledger SET amount_minor = 1`).rejects.toThrow('only added');
});
