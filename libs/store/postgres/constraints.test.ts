import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DomainError } from '#domain/errors.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { runSql } from '#test/support/sql.ts';
import { accountKey, violations } from './constraints.ts';
import { sql } from './sql.ts';

let t: TestContext;
beforeAll(async () => {
  t = await testContext();
});
afterAll(() => t.close());

const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('constraints', () => {
  test('Every constraint of the table exists in the migrated schema', async () => {
    const rows = await t.postgres.db.any<{ name: string }>(sql`
      SELECT conname AS name FROM pg_constraint WHERE connamespace = 'public'::regnamespace
      UNION
      SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace`);
    const known = new Set(rows.map(({ name }) => name));
    expect(Object.keys(violations).filter((name) => !known.has(name))).toEqual([]);
    expect(Object.keys(violations)).not.toEqual([]);
  });

  test('A violation becomes the domain error with its cause', async () => {
    const add = () => runSql(t.postgres)`INSERT INTO virtual_airline (name) VALUES ('Delta Test')`;
    await add();
    const failure = await failureOf(add());
    expect(failure).toBeInstanceOf(DomainError);
    expect(failure).toMatchObject({
      code: 'VA_EXISTS',
      message: violations['virtual_airline_name']?.[1],
      cause: { constraint: 'virtual_airline_name' },
    });
  });

  test('A violation raised at COMMIT becomes the domain error, too', async () => {
    const failure = await failureOf(
      t.postgres.transaction(async (tx) => {
        await tx.run(sql`
          CREATE TEMP TABLE twice (v integer CONSTRAINT app_user_email UNIQUE DEFERRABLE INITIALLY DEFERRED)`);
        expect(await tx.run(sql`INSERT INTO twice VALUES (1), (1)`)).toBe(2);
      }),
    );
    expect(failure).toMatchObject({ name: 'DomainError', code: 'EMAIL_ALREADY_REGISTERED' });
  });

  test('Other violations and other failures are unchanged', async () => {
    const check = await failureOf(
      runSql(t.postgres)`INSERT INTO developer_key (name, key_hash, key_hint, user_info)
        VALUES ('x', 'x', 'x', 'EVERYTHING')`,
    );
    expect(check).not.toBeInstanceOf(DomainError);
    expect(check).toMatchObject({ code: '23514', constraint: 'developer_key_user_info_check' });
    expect(await failureOf(runSql(t.postgres)`SELECT 1 / 0`)).toMatchObject({ code: '22012' });
  });

  test('A row of an account just deleted is a refused login, not a bug', async () => {
    const failure = await failureOf(
      runSql(t.postgres)`INSERT INTO print (id, user_id, content, created_at)
        VALUES (gen_random_uuid(), 2000000000, '{}', now())`,
    );
    expect(failure).toMatchObject({ name: 'DomainError', code: 'AUTH_REQUIRED' });
    const keys = await t.postgres.db.any<{ name: string; isToAccount: boolean }>(sql`
      SELECT conname AS name, confrelid = 'app_user'::regclass AS is_to_account FROM pg_constraint
      WHERE contype = 'f' AND connamespace = 'public'::regnamespace`);
    expect(keys.filter(({ name, isToAccount }) => accountKey.test(name) !== isToAccount)).toEqual([]);
    expect(keys.length).toBeGreaterThan(50);
  });
});
