/** Rows of several lists in one statement, each list as JSON. */
import { sql } from './sql.ts';
import type { Sql } from './sql.ts';

/** The rows of a query, in its order. */
export const inJson = (query: Sql): Sql => sql`(SELECT coalesce(json_agg(list), '[]') FROM (${query}) list)`;
/** JSON has times as text. */
export type InJson<Row> = Row extends { updatedAt: Date }
  ? Omit<Row, 'updatedAt'> & { updatedAt: string }
  : Row;
export const withDates = <Row extends { updatedAt: string }>(row: Row) => ({
  ...row,
  updatedAt: new Date(row.updatedAt),
});
