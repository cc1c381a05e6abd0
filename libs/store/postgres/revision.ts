/** Revisions of rows that clients edit: whole numbers that triggers raise with each change, never used again. */
import { sql } from './sql.ts';
import type { Sql } from './sql.ts';

/** Of the row that is changed: what a client has seen is still stored; undefined: it does not ask. */
export const isExpected = (expectedVersion: number | undefined): Sql =>
  sql`coalesce(${expectedVersion ?? null}::bigint, revision) = revision`;
