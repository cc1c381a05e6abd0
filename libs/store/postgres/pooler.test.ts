/** A PgBouncer between this service and its database, which is detected where it would do harm. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { bouncerNote, hasBouncer, startBouncer } from '#test/support/pgbouncer.ts';
import type { BouncerOptions } from '#test/support/pgbouncer.ts';
import { until } from '#test/support/until.ts';
import { SessionError } from './session-guard.ts';
import { sql } from './sql.ts';
import type { Tx } from './sql.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
});
afterAll(() => t.close());

const timeouts = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];

const through = async <T>(options: BouncerOptions, work: (url: string) => Promise<T>): Promise<T> => {
  const bouncer = await startBouncer(t.databaseUrl, options);
  try {
    return await work(bouncer.url);
  } finally {
    await bouncer.stop();
  }
};

describe.skipIf(!hasBouncer)(`behind PgBouncer${bouncerNote}`, () => {
  const refusal = (options: BouncerOptions): Promise<unknown> =>
    through(options, (databaseUrl) =>
      testContext({ databaseUrl }).then(
        (context) => context.close(),
        (error: unknown) => error,
      ),
    );

  test('A start-up parameter refused by the pooler is named at startup', async () => {
    const error = await refusal({ mode: 'session' });
    expect(error).toBeInstanceOf(SessionError);
    expect(String(error)).toMatch(
      /DATABASE_URL: a pooler refuses \w+_timeout, .*Give the address of the server/,
    );
  });

  test('Parameters dropped by the pooler are named at startup, as are shared connections', async () => {
    const drops = [...timeouts, 'options'];
    const dropped = await refusal({ mode: 'session', drops });
    expect(dropped).toBeInstanceOf(SessionError);
    expect(String(dropped)).toContain(
      'statement_timeout is 0 instead of 60000, lock_timeout is 0 instead of 2000, ' +
        'idle_in_transaction_session_timeout is 0 instead of 10000, default_transaction_read_only is off instead of on',
    );
    const shared = await refusal({ mode: 'transaction', drops });
    expect(shared).toBeInstanceOf(SessionError);
    expect(String(shared)).toContain('a pooler shares connections between sessions');
  });

  /** A process whose transactions go through a pooler. */
  const pooled = async (
    mode: BouncerOptions['mode'],
    work: (contexts: [TestContext, TestContext]) => Promise<void>,
  ): Promise<void> =>
    through({ mode, serverConnections: mode === 'session' ? 20 : 2 }, async (url) => {
      const env = { DATABASE_URL: url, DATABASE_DIRECT_URL: t.databaseUrl };
      await using here = await testContext({ databaseUrl: t.databaseUrl, env });
      await using there = await testContext({ databaseUrl: t.databaseUrl, env });
      await work([here, there]);
    });

  test.each(['transaction', 'session'] as const)(
    'Given the address of the server itself, processes share the connections of a pooler in %s mode',
    async (mode) => {
      await pooled(mode, async ([here, there]) => {
        // Different statements in a different order: names of statements would be mixed up.
        const read = ({ postgres }: TestContext, n: number) =>
          postgres.db.one<{ n: number }>(
            n % 2 === 0 ? sql`SELECT ${n}::int AS n` : sql`SELECT ${n}::int + 0 AS n`,
          );
        const rounds = mode === 'session' ? 1 : 50;
        const answers = await Promise.all(
          Array.from({ length: rounds }, async (_, i) => [
            (await read(here, i)).n,
            (await read(there, i + 1)).n,
          ]),
        );
        expect(answers).toEqual(Array.from({ length: rounds }, (_, i) => [i, i + 1]));
      });
    },
  );

  test('Behind a pooler no setting outlives its transaction, and limits and locks hold', async () => {
    await pooled('transaction', async ([here, there]) => {
      const write = sql`UPDATE product SET level = level + 1 WHERE code = 'EFB_PRO_M'`;
      await expect(here.postgres.db.any(write)).rejects.toThrow('read-only');
      const level = async () =>
        (
          await there.postgres.db.one<{ level: number }>(
            sql`SELECT level FROM product WHERE code = 'EFB_PRO_M'`,
          )
        ).level;
      const before = await level();
      await here.postgres.single((tx) => tx.run(write));
      await here.postgres.transaction((tx) => tx.run(write));
      expect(await level()).toBe(before + 2);
      const failing = sql`SELECT 1 / ${0}::int AS n`;
      await expect(here.postgres.single((tx) => tx.one(failing))).rejects.toThrow('division by zero');
      await expect(here.postgres.db.one(failing)).rejects.toThrow('division by zero');
      expect(await level()).toBe(before + 2);
      const limits = (tx: Pick<Tx, 'one'>) =>
        tx.one(
          sql`SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`,
        );
      expect(await here.postgres.transaction(limits)).toEqual({ statement: '1min', lock: '2s' });
      expect(
        await here.postgres.db.one(sql`SELECT current_setting('statement_timeout') AS statement`),
      ).toEqual({
        statement: '1min',
      });
      expect(await here.postgres.snapshot(limits)).toEqual({ statement: '1min', lock: '2s' });

      let running = 0;
      const alone = ({ postgres }: TestContext) =>
        postgres.exclusive('one at a time', async () => {
          running += 1;
          expect(running).toBe(1);
          await postgres.db.one(sql`SELECT pg_sleep(0.05)::text AS slept`);
          running -= 1;
        });
      await Promise.all([here, there, here, there].map(alone));

      // Announcements of one process's commits reach the other process.
      const woken = new Promise<void>((resolve) => there.announcements.on('picture', () => resolve()));
      await until('the other process listens', async () => {
        await here.postgres.transaction(async (tx) => {
          await tx.run(write);
          tx.announce({ topic: 'picture', id: 'p' });
        });
        return Promise.race([woken.then(() => true), sleep(50, false)]);
      });
    });
  });
});
