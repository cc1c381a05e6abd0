/**
 * Daily partitions of the request log: created ahead or on demand, and dropped as a whole, while others write
 * and read.
 */
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  isMissingLogDay,
  logDayRepo,
  logDayWrites,
  packRows,
  requestLogRepo,
  requestLogWrites,
} from '#store/postgres/requests/log.ts';
import type { RequestLogRow } from '#store/postgres/requests/log.ts';
import { sql } from '#store/postgres/sql.ts';
import { addSeconds, daySeconds } from '#domain/time.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { logRow, storeLogRows } from '#test/support/request-log.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import sweepLogs from './sweep-logs.ts';
import { runOnce } from '#test/support/run-once.ts';

const calculation = { isCalculation: true };

let t: TestContext;
let slots = 0;
beforeEach(async () => {
  t = await testContext();
});
afterEach(() => t.close());

const ago = (days: number) => addSeconds(t.clock.now(), -days * daySeconds);
const store = (rows: readonly RequestLogRow[]) => storeLogRows(t, rows);
const sweep = () => runOnce(sweepLogs, t, { slot: addSeconds(t.clock.now(), (slots += 1)).toISOString() });

const storedIds = async () =>
  (await t.postgres.db.any<{ id: number }>(sql`SELECT id FROM request_log ORDER BY id`)).map(({ id }) => id);
const days = async () =>
  (await logDayRepo(t.postgres.db).all()).map(
    ({ day, isCalculation }) => `${day} ${isCalculation ? 'calculations' : 'calls'}`,
  );
const daysOf = async (id: number) =>
  (
    await t.postgres.db.any<{ name: string }>(sql`
      SELECT tableoid::regclass::text AS name FROM request_log WHERE id = ${id}`)
  ).map(({ name }) => name);

const report = async (logId: number, closedAt: Date | null = null): Promise<number> => {
  const user = await insertBySql<{ id: number }>(t.postgres)`
    INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode)
    VALUES (gen_random_uuid() || '@example.com', 'x', 'P', 'Q', 'PQR') RETURNING id`;
  const { id } = await insertBySql<{ id: number }>(t.postgres)`
    INSERT INTO problem_report (log_id, user_id, severity, description, created_at, closed_at)
    VALUES (${logId}, ${user.id}, 'LOW', 'x', ${t.clock.now()}, ${closedAt}) RETURNING id`;
  return id;
};

describe('partitions', () => {
  test('Rows before and after midnight UTC are in the partitions of their days, calculations in separate ones', async () => {
    const midnight = new Date('2026-09-17T00:00:00Z');
    const before = addSeconds(midnight, -0.001);
    const rows = [
      logRow(1, before),
      logRow(2, midnight),
      logRow(3, before, calculation),
      logRow(4, midnight, calculation),
    ];
    expect(await store(rows)).toBe(4);
    expect(await Promise.all([1, 2, 3, 4].map(daysOf))).toEqual([
      ['request_log_calls_20260916'],
      ['request_log_calls_20260917'],
      ['request_log_calculations_20260916'],
      ['request_log_calculations_20260917'],
    ]);
    for (const row of rows) expect(await requestLogRepo(t.postgres.db).byId(row.id)).toEqual(row);
  });

  test('A missing partition is created by the insert, and two simultaneous processes lose nothing', async () => {
    // Test databases already have partitions for the first day.
    t.clock.advance(daySeconds);
    const [packed] = await packRows([logRow(1, t.clock.now())]);
    if (!packed) throw new Error('no rows');
    const direct = t.postgres.transaction((tx) => requestLogWrites(tx).insert(packed));
    await expect(direct).rejects.toSatisfy(isMissingLogDay);
    const batches = Array.from({ length: 4 }, (_, i) =>
      store([logRow(2 * i + 1, t.clock.now()), logRow(2 * i + 2, ago(-1), calculation)]),
    );
    expect(await Promise.all(batches)).toEqual([2, 2, 2, 2]);
    expect(await storedIds()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test('The sweep creates partitions for today and three more days, even while a writer is in a transaction', async () => {
    await store([logRow(1, t.clock.now())]);
    const writer = new Client({ connectionString: t.databaseUrl });
    await writer.connect();
    await writer.query('BEGIN');
    await writer.query('LOCK TABLE request_log, request_log_body IN ROW EXCLUSIVE MODE');
    await sweep();
    await writer.query('ROLLBACK');
    await writer.end();
    const ahead = ['2026-09-16', '2026-09-17', '2026-09-18', '2026-09-19'];
    expect(await days()).toEqual(
      expect.arrayContaining(ahead.flatMap((day) => [`${day} calls`, `${day} calculations`])),
    );
  });

  test('A repeated batch is stored once with its bodies, even together with new rows', async () => {
    const rows = [logRow(1, t.clock.now()), logRow(2, t.clock.now(), { response: '{"b":2}' })];
    expect(await store(rows)).toBe(2);
    expect(await store([...rows.toReversed(), logRow(3, t.clock.now())])).toBe(3);
    for (const row of rows) expect(await requestLogRepo(t.postgres.db).byId(row.id)).toEqual(row);
    expect(await storedIds()).toEqual([1, 2, 3]);
    expect(await store([{ ...logRow(2, t.clock.now()), requestId: 'another' }])).toBe(0);
  });
});

describe('expired days', () => {
  test('Request logs are dropped after 3 days, those of calculations after 30, each day counted from its last row (M-8.23)', async () => {
    await store([
      logRow(1, ago(2.9)),
      logRow(2, ago(3.6)),
      logRow(3, ago(29), calculation),
      logRow(4, ago(30.4), calculation),
      logRow(5, ago(30.6), calculation),
      logRow(6, ago(90)),
    ]);
    await sweep();
    expect(await storedIds()).toEqual([1, 3, 4]);
    expect(await days()).not.toContain('2026-09-12 calls');
    expect(await days()).toContain('2026-09-12 calculations');
    expect(await days()).not.toContain('2026-06-18 calculations');
  });

  test('Rows of an open report are copied before the drop and deleted when the report is closed (M-8.23)', async () => {
    const row = logRow(1, ago(5), { userId: 7, response: '{"a":"long"}' });
    await store([row, logRow(2, ago(5)), logRow(3, ago(40), { ...calculation, response: '{"m":1}' })]);
    const open = await report(1);
    await report(2, t.clock.now());
    await report(3);
    await sweep();
    expect(await storedIds()).toEqual([]);
    const repo = requestLogRepo(t.postgres.db);
    expect(await repo.byId(1)).toEqual(row);
    expect(await repo.byId(2)).toBeNull();
    expect(await repo.byId(3)).toMatchObject({ isCalculation: true, response: '{"m":1}' });
    await runSql(t.postgres)`UPDATE problem_report SET closed_at = now() WHERE id = ${open}`;
    await sweep();
    expect([await repo.byId(1), (await repo.byId(3))?.id]).toEqual([null, 3]);
  });

  test('A day with a report opened meanwhile is not dropped', async () => {
    await store([logRow(1, ago(5))]);
    await report(1);
    const [day] = (await logDayRepo(t.postgres.db).all()).filter(({ isCalculation }) => !isCalculation);
    if (!day) throw new Error('no day');
    expect(await t.postgres.transaction((tx) => logDayWrites(tx).drop(day))).toBe(false);
    expect(await storedIds()).toEqual([1]);
  });

  test('Inserts during a drop lose nothing, and the drop succeeds between them', async () => {
    const expired = Array.from({ length: 6 }, (_, i) => logRow(i + 1, ago(5 + i)));
    await store(expired);
    let isOver = false;
    let next = 100;
    const insert = async () => {
      const ids: number[] = [];
      while (!isOver) {
        ids.push(next);
        const row = logRow((next += 1) - 1, t.clock.now());
        expect(await store([row])).toBe(1);
      }
      return ids;
    };
    const inserting = Promise.all([insert(), insert(), insert()]);
    await sweep();
    isOver = true;
    const inserted = (await inserting).flat().sort((a, b) => a - b);
    expect(inserted.length).toBeGreaterThan(3);
    expect(await storedIds()).toEqual(inserted);
  });

  test('A drop gives way to a reader, inserts do not wait for it, and the next sweep drops the day', async () => {
    await store([logRow(1, ago(5)), logRow(2, t.clock.now())]);
    const reader = new Client({ connectionString: t.databaseUrl });
    await reader.connect();
    await reader.query('BEGIN');
    await reader.query('SELECT count(*) FROM request_log');
    let isOver = false;
    const sweeping = sweep().finally(() => {
      isOver = true;
    });
    let inserted = 0;
    while (!isOver) {
      inserted += await store([logRow(100 + inserted, t.clock.now())]);
    }
    await sweeping;
    expect(inserted).toBeGreaterThan(1);
    await reader.query('COMMIT');
    await reader.end();
    expect(await storedIds()).toContain(1);
    await sweep();
    expect(await storedIds()).not.toContain(1);
    expect(await storedIds()).toHaveLength(1 + inserted);
  });
});
