import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { sql } from './sql.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
});
afterAll(() => t.close());

const insert = sql`INSERT INTO effect (key, kind, done_at) VALUES ('a', 'test', now()) RETURNING key`;
const keys = async () => (await t.postgres.db.any<{ key: string }>(sql`SELECT key FROM effect`)).length;

describe('writes need a transaction', () => {
  test('Outside a transaction there is no run, and Postgres itself refuses a statement that writes', async () => {
    expect('run' in t.postgres.db).toBe(false);
    for (const statement of [insert, sql`SELECT nextval('request_log_id')`])
      await expect(t.postgres.db.any(statement)).rejects.toThrow('read-only transaction');
    expect(await keys()).toBe(0);
  });

  test('Inside a transaction they are stored by the COMMIT and undone by a ROLLBACK, each with its hooks', async () => {
    const heard: string[] = [];
    const work = (fails: boolean) =>
      t.postgres.transaction(async (tx) => {
        tx.onCommit(() => heard.push('committed'));
        tx.onRollback(() => heard.push('rolled back'));
        await tx.any(insert);
        if (fails) throw new Error('on purpose');
      });
    await expect(work(true)).rejects.toThrow('on purpose');
    expect([await keys(), heard]).toEqual([0, ['rolled back']]);
    await work(false);
    expect([await keys(), heard]).toEqual([1, ['rolled back', 'committed']]);
  });

  test('A connection is read-only again after a write transaction', async () => {
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
