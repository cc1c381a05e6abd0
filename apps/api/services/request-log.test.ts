/** The request log survives failures of its store, and its losses are bounded and counted. */
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '#platform/log/log.ts';
import { createTestDatabase, testContext } from '#test/harness.ts';
import type { TestContext, TestDatabase } from '#test/harness.ts';
import { postgresProxy } from '#test/support/postgres-proxy.ts';
import type { PostgresProxy } from '#test/support/postgres-proxy.ts';
import { until } from '#test/support/until.ts';
import { createRequestLog } from './request-log.ts';
import type { LogEntry } from './request-log.ts';

let database: TestDatabase;
let proxy: PostgresProxy;
let context: TestContext;
let admin: Client;
let log: Awaited<ReturnType<typeof createRequestLog>>;
let lines: { msg: string; entries?: number }[];

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await postgresProxy(database.url);
  admin = new Client({ connectionString: database.url, application_name: 'admin' });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await proxy.close();
  await database.drop();
});

beforeEach(async () => {
  lines = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]);
  const logger = createLogger('test', 'warn', { destination: { write } });
  context = await testContext({ databaseUrl: proxy.url, log: logger });
  log = await createRequestLog(context);
});
afterEach(async () => {
  await log.close();
  await context.close();
  await admin.query('TRUNCATE request_log, request_log_body');
});

const add = (changes: Partial<LogEntry> = {}): number => {
  const id = changes.id ?? log.nextId() ?? Number.NaN;
  log.add({
    id,
    requestId: `request-${id}`,
    query: 'test',
    userId: null,
    developerKeyId: null,
    status: 200,
    errorCode: null,
    durationMs: 1,
    ip: '192.0.2.1',
    headers: {},
    request: { id },
    requestBytes: 8,
    isBodyKept: true,
    response: {},
    responseText: '{}',
    isCalculation: false,
    createdAt: context.clock.now(),
    ...changes,
  });
  return id;
};
const addMany = (count: number, changes: Partial<LogEntry> = {}) =>
  Array.from({ length: count }, () => add(changes));

const stored = async (): Promise<number[]> => {
  const { rows } = await admin.query<{ id: number }>('SELECT id FROM request_log ORDER BY id');
  return rows.map(({ id }) => id);
};
const lossesReported = () =>
  lines.filter(({ msg }) => msg.includes('were lost')).map(({ entries }) => entries);
const backends = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name ~ '^test [^ ]+ [0-9]+$'`;
const killBackends = (where = 'true') =>
  admin.query(`SELECT pg_terminate_backend(pid) FROM (${backends} AND ${where}) AS found`);

describe('storing the request log', () => {
  test('An existing row keeps its id, and the log continues and counts the rejected row as lost', async () => {
    const first = add();
    await log.flush();
    await admin.query(
      `INSERT INTO request_log (id, request_id, status, duration_ms, created_at, is_calculation, body_id, body_slot)
      VALUES ($1, 'beside', 200, 1, $2, false, 0, 0)`,
      [first + 3, context.clock.now()],
    );
    const ids = addMany(5);
    await log.flush();
    expect(await stored()).toEqual([first, ...ids]);
    const { rows } = await admin.query('SELECT request_id FROM request_log WHERE id = $1', [first + 3]);
    expect(rows).toEqual([{ request_id: 'beside' }]);
    expect(log.lost()).toBe(1);
    expect(lossesReported()).toEqual([1]);
    const next = add();
    await log.flush();
    expect(await stored()).toContain(next);
  });

  test('A commit with a lost answer is repeated without a duplicate, missing or lost row', async () => {
    const ids = addMany(40);
    const lost = proxy.loseAnswerTo('COMMIT');
    await log.flush();
    await lost;
    expect(await stored()).toEqual(ids);
    const more = addMany(10);
    await log.flush();
    expect(await stored()).toEqual([...ids, ...more]);
    expect(log.lost()).toBe(0);
    expect(lossesReported()).toEqual([]);
  });

  test('An insert whose answer is lost before the commit is repeated', async () => {
    const ids = addMany(40);
    const lost = proxy.loseAnswerTo('INSERT INTO request_log');
    await log.flush();
    await lost;
    expect(await stored()).toEqual([]);
    await log.flush();
    expect(await stored()).toEqual(ids);
    expect(log.lost()).toBe(0);
  });

  test('Database connections killed while idle or during an insert lose nothing', async () => {
    const ids = addMany(40);
    await killBackends();
    const holder = new Client({ connectionString: database.url, application_name: 'holder' });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE request_log IN ACCESS EXCLUSIVE MODE');
    let flushing = log.flush();
    const isBlocked = async () => {
      const { rows } = await admin.query(`${backends} AND wait_event_type = 'Lock'`);
      return rows.length > 0;
    };
    await until('the insert is blocked', async () => {
      if (await isBlocked()) return true;
      // The first attempt may have used a killed connection.
      flushing = Promise.all([flushing, log.flush()]).then(() => undefined);
      return false;
    });
    await killBackends(`wait_event_type = 'Lock'`);
    await holder.query('ROLLBACK');
    await holder.end();
    await flushing;
    await log.flush();
    expect(await stored()).toEqual(ids);
    expect(log.lost()).toBe(0);
  });

  test('A batch refused five times by the database is dropped and counted, and the log continues', async () => {
    addMany(6);
    add({ status: 2 ** 40 });
    for (let attempt = 0; attempt < 5; attempt += 1) await log.flush();
    expect(log.lost()).toBe(7);
    expect(lossesReported()).toEqual([7]);
    const ids = addMany(3);
    await log.flush();
    expect(await stored()).toEqual(ids);
  });

  test('Entries still waiting at shutdown are counted and reported', async () => {
    await admin.query('ALTER TABLE request_log RENAME TO away');
    addMany(7);
    await log.close();
    await admin.query('ALTER TABLE away RENAME TO request_log');
    expect(log.lost()).toBe(7);
    expect(lossesReported()).toEqual([7]);
  });
});

describe('the request-log queue', () => {
  test('The queue holds 20,000 entries waiting for redaction or the store; further ones are counted and reported once', async () => {
    await proxy.whileDown(async () => {
      for (let i = 1; i <= 20_000; i += 1) add({ id: i });
      expect(log.lost()).toBe(0);
      addMany(3, { id: 30_000 });
      expect(log.lost()).toBe(3);
      await log.flush();
      addMany(2, { id: 30_000 });
      expect(log.lost()).toBe(5);
    });
    await log.flush();
    await log.flush();
    expect(await stored()).toHaveLength(20_000);
    expect(lossesReported()).toEqual([5]);
  });

  test('The queue holds 48 MB of rows, however many they are', async () => {
    const request = { note: 'word '.repeat(180_000) };
    await proxy.whileDown(async () => {
      for (let i = 1; i <= 60; i += 1) {
        add({ id: i, request });
        // Each is redacted before the next arrives.
        await log.flush();
      }
    });
    await log.flush();
    await log.flush();
    const ids = await stored();
    expect(ids.length + log.lost()).toBe(60);
    expect(ids.length).toBeGreaterThan(40);
    expect(ids.length).toBeLessThanOrEqual(56);
  });

  test('An entry whose redaction fails is the only one lost', async () => {
    const [first] = addMany(1);
    add({ request: { count: 1n } });
    const [last] = addMany(1);
    await log.flush();
    expect(await stored()).toEqual([first, last]);
    expect(log.lost()).toBe(1);
  });
});
