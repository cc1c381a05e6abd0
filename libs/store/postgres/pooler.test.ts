/** A PgBouncer between this service and its database: in session mode it serves, in transaction mode it is refused. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { bouncerNote, hasBouncer, startBouncer } from '#test/support/pgbouncer.ts';
import { testJob } from '#test/support/queue-behaviour.ts';
import { assertSessions, SessionError } from './session-guard.ts';
import { sql } from './sql.ts';
import type { ReadDb } from './sql.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
});
afterAll(() => t.close());

describe.skipIf(!hasBouncer)(`behind PgBouncer${bouncerNote}`, () => {
  const through = async <T>(
    mode: 'session' | 'transaction',
    work: (databaseUrl: string) => Promise<T>,
  ): Promise<T> => {
    const bouncer = await startBouncer(t.databaseUrl, mode);
    try {
      return await work(bouncer.url);
    } finally {
      await bouncer.stop();
    }
  };

  test('A pooler in transaction mode is refused at startup in one sentence', async () => {
    const error = await through('transaction', (databaseUrl) =>
      testContext({ databaseUrl }).then(
        (context) => context.close(),
        (reason: unknown) => reason,
      ),
    );
    expect(error).toBeInstanceOf(SessionError);
    expect((error as Error).message).toBe(
      'DATABASE_URL: a pooler shares sessions between connections. Give the address of the server itself, or of a pooler in session mode.',
    );
  });

  test('Behind a pooler in session mode limits, locks and jobs work, and reads stay read-only', async () => {
    await through('session', async (databaseUrl) => {
      await using here = await testContext({ databaseUrl });
      await using there = await testContext({ databaseUrl });
      const write = sql`UPDATE product SET level = level + 1 WHERE code = 'EFB_PRO_M'`;
      await expect(here.postgres.db.any(write)).rejects.toThrow('read-only');
      expect(await here.postgres.single((tx) => tx.run(write))).toBe(1);
      const limits = (db: ReadDb) =>
        db.one(
          sql`SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`,
        );
      const expected = { statement: '1min', lock: '2s' };
      expect(await here.postgres.transaction(limits)).toEqual(expected);
      expect(await limits(here.postgres.db)).toEqual(expected);
      expect(await here.postgres.snapshot(limits)).toEqual(expected);

      let running = 0;
      const alone = ({ postgres }: TestContext) =>
        postgres.exclusive('one at a time', async () => {
          running += 1;
          expect(running).toBe(1);
          await postgres.db.one(sql`SELECT pg_sleep(0.05)::text AS slept`);
          running -= 1;
        });
      await Promise.all([here, there, here, there].map(alone));

      const ran = Promise.withResolvers<unknown>();
      const contract = testJob();
      const consumer = await there.queues.createConsumer();
      await consumer.consume(
        contract.lane,
        [{ contract, run: async ({ payload }) => ran.resolve(payload) }],
        1,
      );
      await here.postgres.transaction((tx) => here.jobs.enqueue(tx, contract, { n: 1 }));
      expect(await ran.promise).toEqual({ n: 1 });
      await consumer.stop(1_000);
    });
  });
});

test('A pooler that gives each transaction another session is recognised by them', async () => {
  const sessions = [1, 2];
  const db = { ...t.postgres.db, value: <T>() => Promise.resolve(sessions.shift() as T) };
  await expect(assertSessions({ db, transaction: t.postgres.transaction })).rejects.toThrow(SessionError);
});
