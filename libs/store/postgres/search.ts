import { sql } from './sql.ts';
import type { Sql } from './sql.ts';

/** Whether a text in lower case and NFC contains another one in any case. Indexes of trigrams find it, from three characters on. */
export const contains = (text: Sql, part: string): Sql =>
  sql`${text} LIKE ${`%${part
    .normalize()
    .toLowerCase()
    .replaceAll(/[\\%_]/g, '\\$&')}%`}`;

/**
 * Ids of accounts whose address or names contain the text, as an array, which the planner evaluates before sorting
 * rows.
 */
export const accountsWith = (part: string): Sql => sql`
  ARRAY(SELECT id FROM app_user WHERE ${contains(sql`lower(email || ' ' || firstname || ' ' || lastname)`, part)})`;

/** Condition on the changed row: the revision that the client has seen is still stored; undefined: not checked. */
export const isExpected = (expectedVersion: number | undefined): Sql =>
  sql`coalesce(${expectedVersion ?? null}::bigint, revision) = revision`;
