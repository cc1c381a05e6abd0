import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { sql } from './sql.ts';
import type { Tx } from './sql.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
});
afterAll(() => t.close());

const insert = sql`INSERT INTO effect (key, kind, done_at) VALUES ('a', 'test', now()) RETURNING key`;
const keys = async () => (await t.postgres.db.any<{ key: string }>(sql`SELECT key FROM effect`)).length;

describe('writes', () => {
  test('A write outside a transaction has no function to call, and Postgres itself refuses it', async () => {
    expect('run' in t.postgres.db).toBe(false);
    for (const statement of [insert, sql`SELECT nextval('request_log_id')`])
      await expect(t.postgres.db.any(statement)).rejects.toThrow('read-only transaction');
    expect(await keys()).toBe(0);
  });

  test('Writes in a transaction are stored by COMMIT, before its hooks, and undone by ROLLBACK without them', async () => {
    const heard: string[] = [];
    const work = (fails: boolean) =>
      t.postgres.transaction(async (tx) => {
        tx.onCommit(() => heard.push('committed'));
        await tx.any(insert);
        if (fails) throw new Error('on purpose');
      });
    await expect(work(true)).rejects.toThrow('on purpose');
    expect([await keys(), heard]).toEqual([0, []]);
    await work(false);
    expect([await keys(), heard]).toEqual([1, ['committed']]);
  });

  test('Reads stay read-only beside write transactions', async () => {
    const more = Array.from({ length: 20 }, (_, i) =>
      i % 2 === 0
        ? t.postgres.transaction((tx) => tx.run(sql`UPDATE effect SET kind = ${`k${i}`}`))
        : t.postgres.db.any(sql`DELETE FROM effect RETURNING key`),
    );
    const results = await Promise.allSettled(more);
    expect(results.map(({ status }) => status)).toEqual(
      results.map((_, i) => (i % 2 === 0 ? 'fulfilled' : 'rejected')),
    );
    expect(await keys()).toBe(1);
  });
});

describe('snapshots', () => {
  const seriesTo = (n: number) => sql`SELECT i FROM generate_series(1, ${n}::int) i ORDER BY i`;

  test('A snapshot returns every row once, in order, over consecutive statements', async () => {
    const counts = await t.postgres.snapshot(async (db) => {
      const read: number[] = [];
      for (const n of [0, 1, 20, 61]) {
        const rows: number[] = [];
        for await (const { i } of db.each<{ i: number }>(seriesTo(n))) rows.push(i);
        expect(rows).toEqual(Array.from({ length: n }, (_, i) => i + 1));
        read.push(rows.length);
      }
      return read;
    });
    expect(counts).toEqual([0, 1, 20, 61]);
  });

  test('A snapshot sees no later commits, cannot write, and returns its connection after a failure', async () => {
    const before = await keys();
    await t.postgres.snapshot(async (db) => {
      await db.any(sql`SELECT 1 AS one FROM effect`);
      await t.postgres.transaction((tx) =>
        tx.run(sql`INSERT INTO effect (key, kind, done_at) VALUES ('later', 'test', now())`),
      );
      expect(await db.any(sql`SELECT 1 AS one FROM effect`)).toHaveLength(before);
    });
    expect(await keys()).toBe(before + 1);
    const wrong = () =>
      t.postgres.snapshot(async (db) => {
        for await (const _ of db.each(seriesTo(5))) await db.any(insert);
      });
    for (let i = 0; i < 30; i += 1) await expect(wrong()).rejects.toThrow('read-only transaction');
    await t.postgres.transaction((tx) => tx.run(sql`DELETE FROM effect WHERE key = 'later'`));
  });
});

describe('single statements', () => {
  const add = (tx: Tx, key: string) =>
    tx.run(sql`INSERT INTO effect (key, kind, done_at) VALUES (${key}, 'test', now())`);
  const isThere = async (key: string) =>
    (await t.postgres.db.maybe(sql`SELECT 1 AS one FROM effect WHERE key = ${key}`)) !== null;

  test('A single statement is committed without BEGIN, and its hooks run afterwards', async () => {
    const events: string[] = [];
    const written = await t.postgres.single(async (tx) => {
      tx.onCommit(() => events.push('committed'));
      const rows = await add(tx, 'single');
      events.push('written');
      return rows;
    });
    expect([written, events, await isThere('single')]).toEqual([1, ['written', 'committed'], true]);
  });

  test('A second statement is refused, and the first stays committed', async () => {
    const events: string[] = [];
    const work = t.postgres.single(async (tx) => {
      tx.onCommit(() => events.push('committed'));
      await add(tx, 'first');
      await add(tx, 'second');
    });
    await expect(work).rejects.toThrow('a second statement');
    expect([events, await isThere('first'), await isThere('second')]).toEqual([['committed'], true, false]);
  });

  test('A failing statement leaves nothing', async () => {
    const events: string[] = [];
    const work = t.postgres.single((tx) => {
      tx.onCommit(() => events.push('committed'));
      return tx.run(
        sql`INSERT INTO effect (key, kind, done_at) VALUES ('b', 'test', now()), ('b', 'test', now())`,
      );
    });
    await expect(work).rejects.toMatchObject({ code: '23505' });
    expect([events, await isThere('b')]).toEqual([[], false]);
  });
});

test('The name of a prepared statement derives from its text alone, so that it means the same in all processes', async () => {
  const prepared = await t.postgres.transaction(async (tx) => {
    await tx.one(sql`SELECT ${1}::int AS one`);
    return tx.any<{ name: string; statement: string }>(
      sql`SELECT name, statement FROM pg_prepared_statements`,
    );
  });
  const ours = prepared.filter(({ name }) => name !== '');
  expect(ours.map(({ statement }) => statement)).toContain('SELECT $1::int AS one');
  for (const { name, statement } of ours)
    expect(name).toBe(createHash('sha256').update(statement).digest('base64url').slice(0, 32));
});
