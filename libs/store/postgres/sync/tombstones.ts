/** Deletions, by the rows of the change feed (ADR 158). */
import type { Deletion } from '#domain/fields/deletion.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Sql } from '../sql.ts';
import { toldTo, vaOf } from './row-changes.ts';
import type { Audience } from './row-changes.ts';

interface Tombstone extends Deletion {
  id: string;
  revision: number;
  /** The airline that owned the row. */
  vaId: number | null;
}

/** Condition on the row change `t`: the row exists (again). Flight data have their own tombstones. */
const isThere = {
  checklist: sql`EXISTS (SELECT FROM checklist c WHERE c.id = t.row_id::uuid)`,
  fleet: sql`EXISTS (SELECT FROM fleet_profile p
    WHERE p.registration = t.row_id AND owner_audience(p.user_id, p.va_id) = t.audience)`,
  ofp: sql`EXISTS (SELECT FROM ofp p WHERE p.id = t.row_id)`,
} as const satisfies Record<string, Sql>;
export type TombstoneKind = keyof typeof isThere;

const columns = sql`t.row_id AS id, t.revision, ${vaOf(sql`t.audience`)} AS va_id, t.at AS deleted_at,
  t.changed_by AS deleted_by_user_id`;

export const tombstoneRepo = (db: ReadDb) => ({
  /** Rows deleted since then that do not exist again, the last deletion first. */
  listed: (kind: TombstoneKind, audience: Audience, since: Date): Promise<Tombstone[]> =>
    db.any<Tombstone>(sql`
      SELECT * FROM (
        SELECT DISTINCT ON (t.audience, t.row_id) ${columns}
        FROM ${toldTo(audience)} JOIN row_change t ON t.audience = told
        WHERE t.kind = ${kind} AND t.is_deleted AND t.at >= ${since} AND t.revision IS NOT NULL AND NOT ${isThere[kind]}
        ORDER BY t.audience, t.row_id, t.id DESC) t
      ORDER BY deleted_at DESC, id LIMIT 1000`),

  /** Deletion of an absent row of this owner (`ownerKey`); null if it was never deleted. */
  of: (kind: TombstoneKind, owner: string, id: string): Promise<Deletion | null> =>
    db.maybe<Deletion>(sql`
      SELECT t.at AS deleted_at, t.changed_by AS deleted_by_user_id FROM row_change t
      WHERE t.audience = ${owner} AND t.kind = ${kind} AND t.row_id = ${id} AND t.is_deleted
      ORDER BY t.id DESC LIMIT 1`),
});
