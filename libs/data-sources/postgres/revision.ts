/** Revisions of rows that clients edit: whole numbers that rise with each change and are never used again. */
import { sql } from './sql.ts';
import type { Sql } from './sql.ts';

export const nextRevision: Sql = sql`nextval('row_revision')`;

/** Of the row that is changed: what a client has seen is still stored; undefined: it does not ask. */
export const isExpected = (expectedVersion: number | undefined): Sql =>
  sql`coalesce(${expectedVersion ?? null}::bigint, revision) = revision`;
