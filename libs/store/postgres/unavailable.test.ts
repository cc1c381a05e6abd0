/** Errors of a real server, and how they are classified. */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OutcomeUnknownError } from '#domain/errors.ts';
import { createTestDatabase, testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { smallDisk } from '#test/support/small-disk.ts';
import { postgresProxy } from '#test/support/postgres-proxy.ts';
import { postgresAccount } from '#platform/embedded/system.ts';
import { createLogger } from '#platform/log/log.ts';
import { createPostgres } from './pool.ts';
import { repeating } from './repeat.ts';
import { sql } from './sql.ts';
import type { Tx } from './sql.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
});
afterAll(() => t.close());

const add = (tx: Tx, key: string) =>
  tx.run(sql`INSERT INTO effect (key, kind, done_at) VALUES (${key}, 'test', now())`);
const isThere = async (key: string) =>
  (await t.postgres.db.maybe(sql`SELECT 1 AS one FROM effect WHERE key = ${key}`)) !== null;

/** The server raises this error as its own. */
const raise = (tx: Tx, state: string) =>
  tx
    .run(sql`SELECT set_config('test.state', ${state}, true)`)
    .then(() =>
      tx.run(sql`DO $$ BEGIN RAISE 'on purpose' USING ERRCODE = current_setting('test.state'); END $$`),
    );

describe('temporary server failures', () => {
  test.each([
    ['53100', 'disk full', 30],
    ['53200', 'out of memory', 10],
    ['53300', 'too many connections', 2],
    ['53000', 'out of resources', 10],
    ['55P03', 'waited too long for a lock', 1],
    ['57014', 'statement took too long or was cancelled', 5],
    ['57P01', 'shutting down', 2],
    ['57P02', 'recovering from a crash', 2],
    ['57P03', 'starting or stopping', 2],
    ['58030', 'input/output error', 10],
    ['58P01', 'input/output error', 10],
    ['40001', 'conflict with another change', 1],
    ['40P01', 'deadlock with another change', 1],
    ['08006', 'connection lost', 2],
    ['25006', 'read-only', 10],
  ])('SQLSTATE %s is unavailable: %s', async (code, reason, retryAfterSeconds) => {
    const failing = t.postgres.transaction(async (tx) => {
      await add(tx, `raised ${code}`);
      await raise(tx, code);
    });
    await expect(failing).rejects.toMatchObject({
      name: 'DatabaseUnavailableError',
      code,
      reason,
      retryAfterSeconds,
      message: `the database cannot do this now: ${reason} (on purpose)`,
    });
    expect(await isThere(`raised ${code}`)).toBe(false);
  });

  test.each(['22012', '42P01', '42501', '54000', 'XX000', 'XX001', '23514'])(
    'SQLSTATE %s is not retried, since it would fail again',
    async (code) => {
      await expect(t.postgres.transaction((tx) => raise(tx, code))).rejects.toMatchObject({
        name: 'error',
        code,
      });
    },
  );

  test('A read that tries to write is an error of this service, not of the server', async () => {
    const write = t.postgres.db.any(sql`DELETE FROM effect`);
    await expect(write).rejects.toMatchObject({ name: 'error', code: '25006' });
  });

  test('A lock held by another transaction makes the write unavailable', async () => {
    const held = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    const holder = t.postgres.transaction(async (tx) => {
      await tx.run(sql`LOCK TABLE effect IN ACCESS EXCLUSIVE MODE`);
      held.resolve();
      await over.promise;
    });
    await held.promise;
    await expect(t.postgres.transaction((tx) => add(tx, 'locked'))).rejects.toMatchObject({
      code: '55P03',
      reason: 'waited too long for a lock',
    });
    over.resolve();
    await holder;
    expect(await isThere('locked')).toBe(false);
  });

  test('On a full disk the transaction leaves nothing, and the next one that fits is stored', async (context) => {
    const disk = await smallDisk(1_000_000, postgresAccount());
    if (!disk) {
      context.skip('this user may not mount a file system');
      return;
    }
    const admin = new Client({ connectionString: t.databaseUrl });
    await admin.connect();
    const space = `small_${process.pid}`;
    try {
      await admin.query(`CREATE TABLESPACE ${space} LOCATION '${disk.folder}'`);
      await admin.query(`CREATE TABLE page (text text) TABLESPACE ${space}`);
      const fill = (rows: number) =>
        t.postgres.transaction((tx) =>
          tx.run(sql`INSERT INTO page SELECT repeat('x', 1000) FROM generate_series(1, ${rows}::int)`),
        );
      await expect(fill(5_000)).rejects.toMatchObject({ code: '53100', reason: 'disk full' });
      expect(t.postgres.trouble()).toBe('disk full');
      expect((await admin.query('SELECT FROM page')).rowCount).toBe(0);
      await admin.query('DROP TABLE page');
      await admin.query(`CREATE TABLE page (text text) TABLESPACE ${space}`);
      expect(await fill(10)).toBe(10);
      expect((await admin.query('SELECT FROM page')).rowCount).toBe(10);
    } finally {
      await admin.query('DROP TABLE IF EXISTS page');
      await admin.query(`DROP TABLESPACE IF EXISTS ${space}`);
      await admin.end();
      await disk.remove();
    }
  });

  test('A statement that exceeds its time limit may itself be the cause', async () => {
    const limited = t.postgres.transaction(async (tx) => {
      await tx.run(sql`SET LOCAL statement_timeout = 20`);
      await tx.any(sql`SELECT pg_sleep(60)`);
    });
    await expect(limited).rejects.toMatchObject({ code: '57014', mayBeCausedByRequest: true });
  });

  test('A server that does not listen and a database that does not exist have their own reasons', async () => {
    const absent = new URL(t.databaseUrl);
    absent.pathname = '/absent';
    for (const [connectionString, reason] of [
      ['postgres://nobody@127.0.0.1:1/none', 'unreachable'],
      [absent.toString(), 'no such database'],
    ] as const) {
      const options = { connectionString, applicationName: 'away', max: 1, statementTimeoutMs: 1_000 };
      const away = createPostgres(options, createLogger('test', 'silent'));
      await expect(away.db.any(sql`SELECT 1`)).rejects.toMatchObject({ reason });
      await expect(away.transaction((tx) => tx.any(sql`SELECT 1`))).rejects.toMatchObject({ reason });
      await expect(away.single((tx) => tx.any(sql`SELECT 1`))).rejects.toMatchObject({ reason });
      await away.close();
    }
  });
});

describe('deadlocks', () => {
  test('A transaction ended by the server runs again, so that both are stored', async () => {
    const transaction = repeating(t.postgres.transaction);
    await t.postgres.transaction(async (tx) => {
      for (const key of ['left', 'right']) await add(tx, key);
    });
    const bothHold = Promise.withResolvers<void>();
    const state = { holding: 0, runs: 0 };
    const touch = (tx: Tx, key: string) =>
      tx.run(sql`UPDATE effect SET kind = kind || '+' WHERE key = ${key}`);
    const inOrder = (first: string, second: string) =>
      transaction(async (tx) => {
        state.runs += 1;
        await touch(tx, first);
        state.holding += 1;
        if (state.holding === 2) bothHold.resolve();
        await bothHold.promise;
        await touch(tx, second);
      });
    await Promise.all([inOrder('left', 'right'), inOrder('right', 'left')]);
    const rows = await t.postgres.db.any(sql`SELECT kind FROM effect WHERE key IN ('left', 'right')`);
    expect([state.runs, rows]).toEqual([3, [{ kind: 'test++' }, { kind: 'test++' }]]);
  });

  test('A deadlock is an error after three runs, and no other error is retried', async () => {
    const runsUntil = async (code: string) => {
      let runs = 0;
      const work = repeating(t.postgres.transaction)(async (tx) => {
        runs += 1;
        await raise(tx, code);
      });
      await expect(work).rejects.toMatchObject({ code });
      return runs;
    };
    expect([await runsUntil('40001'), await runsUntil('55P03'), await runsUntil('22012')]).toEqual([3, 1, 1]);
  });
});

describe('commits', () => {
  test('A transaction with a swallowed error cannot be committed, so nothing is acknowledged', async () => {
    const events: string[] = [];
    const work = t.postgres.transaction(async (tx) => {
      tx.onCommit(() => events.push('committed'));
      await add(tx, 'swallowed');
      await expect(tx.run(sql`SELECT 1 / 0`)).rejects.toThrow('division by zero');
    });
    await expect(work).rejects.toMatchObject({ code: '25P02' });
    expect([events, await isThere('swallowed')]).toEqual([[], false]);
  });

  test('A commit with a lost answer is neither success nor failure, and runs no hooks', async () => {
    const database = await createTestDatabase();
    const proxy = await postgresProxy(database.url);
    await using through = await testContext({ databaseUrl: proxy.url });
    const { db, single, transaction } = through.postgres;
    const keys = async () =>
      (await db.any<{ key: string }>(sql`SELECT key FROM effect ORDER BY key`)).map(({ key }) => key);
    for (const [run, text, key] of [
      [transaction, 'COMMIT', 'transaction'],
      [single, 'INSERT INTO effect', 'single'],
    ] as const) {
      const events: string[] = [];
      const lost = proxy.loseAnswerTo(text);
      const work = run(async (tx) => {
        tx.onCommit(() => events.push('committed'));
        await add(tx, key);
      });
      await expect(work).rejects.toBeInstanceOf(OutcomeUnknownError);
      await lost;
      expect([events, await keys()]).toEqual([[], expect.arrayContaining([key])]);
    }
    // Lost before the end: certainly not stored.
    const early = proxy.loseAnswerTo('INSERT INTO effect');
    const work = transaction((tx) => add(tx, 'early'));
    await expect(work).rejects.toMatchObject({ name: 'DatabaseUnavailableError', reason: 'connection lost' });
    await early;
    expect(await keys()).toEqual(['single', 'transaction']);
    await through.close();
    await proxy.close();
    await database.drop();
  });
});
