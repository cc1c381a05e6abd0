/**
 * Statements of tests, for rows and faults that no repository writes, each in a separate transaction:
 *
 *   await runSql(t.postgres)`UPDATE app_user SET disabled_at = now() WHERE id = ${id}`;
 *   const { id } = await insertBySql<{ id: number }>(t.postgres)`INSERT … RETURNING id`;
 */
import type { Postgres } from '#store/postgres/pool.ts';
import { sql } from '#store/postgres/sql.ts';

type Database = Pick<Postgres, 'transaction'>;

/** Number of affected rows. */
export const runSql =
  (postgres: Database) =>
  (strings: TemplateStringsArray, ...values: readonly unknown[]): Promise<number> =>
    postgres.transaction((tx) => tx.run(sql(strings, ...values)));

/** All rows that the statement returns. */
export const insertAllBySql =
  <Row extends Record<string, unknown>>(postgres: Database) =>
  (strings: TemplateStringsArray, ...values: readonly unknown[]): Promise<Row[]> =>
    postgres.transaction((tx) => tx.any<Row>(sql(strings, ...values)));

/** The only row that the statement returns. */
export const insertBySql =
  <Row extends Record<string, unknown>>(postgres: Database) =>
  (strings: TemplateStringsArray, ...values: readonly unknown[]): Promise<Row> =>
    postgres.transaction((tx) => tx.one<Row>(sql(strings, ...values)));
