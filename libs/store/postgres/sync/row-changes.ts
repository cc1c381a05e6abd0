/** Changes of rows that clients keep (`row_change` in the migrations). */
import type { Cursor } from '#domain/sync/cursor.ts';
import type { RowChange, SyncKind } from '#domain/sync/change.ts';
import { airlinesOfReader } from '#domain/virtual-airlines/admin-gate.ts';
import type { Caller } from '#domain/users/types.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Sql } from '../sql.ts';
import type { Deletion } from '#domain/fields/deletion.ts';

/** Owners whose changes a user receives: the user, these airlines, and the public. */
export interface Audience {
  userId: number;
  vaIds: readonly number[];
  isEveryVa: boolean;
}

const everyone = '*';
export const everyVa = 'v*';
const userAudience = (userId: number): string => `u${userId}`;
const vaAudience = (vaId: number): string => `v${vaId}`;

export const audienceOf = (caller: Pick<Caller, 'userId' | 'vaIds' | 'vaAdmin' | 'activeVaId'>): Audience => {
  const { ids, isEvery } = airlinesOfReader(caller);
  return { userId: caller.userId, vaIds: [...new Set(ids)], isEveryVa: isEvery };
};

/** Keys as in `row_change`; `v*` for users who read all airlines. */
export const audiencesOf = ({ userId, vaIds, isEveryVa }: Audience): string[] => [
  everyone,
  userAudience(userId),
  ...vaIds.map(vaAudience),
  ...(isEveryVa ? [everyVa] : []),
];

/** The same, row by row from `told`. */
const toldTo = (audience: Audience): Sql => sql`
  unnest(${audiencesOf(audience)}::text[] || ARRAY(
    SELECT 'v' || v.id FROM virtual_airline v WHERE ${audience.isEveryVa}::boolean)) AS told`;

/** The airline that owns a row. */
const vaOf = (audience: Sql): Sql =>
  sql`CASE WHEN ${audience} LIKE 'v%' THEN substr(${audience}, 2)::int END`;

interface ChangesPage {
  source: string;
  /** Snapshot of the page. */
  now: string;
  changes: (RowChange & { changeId: number })[];
}

/**
 * By snapshot: everything visible now and not then, however late it was committed. Ordered by id, so that changes of
 * one row follow each other.
 */
export const rowChangeRepo = (db: ReadDb) => ({
  /** Present position of the feed. */
  position: (): Promise<{ source: string; now: string }> =>
    db.one<{ source: string; now: string }>(
      sql`SELECT row_change_source() AS source, pg_current_snapshot()::text AS now`,
    ),

  since: async (
    { seen, page }: Pick<Cursor, 'seen' | 'page'>,
    audience: Audience,
    { kinds, limit }: { kinds: readonly SyncKind[] | null; limit: number },
  ): Promise<ChangesPage> => {
    const rows = await db.any<
      { source: string; now: string } & (ChangesPage['changes'][number] | { changeId: null })
    >(sql`
      SELECT h.source, h.now::text AS now, c.*
      FROM (SELECT row_change_source() AS source, coalesce(${page?.until ?? null}::pg_snapshot, pg_current_snapshot()) AS now OFFSET 0) h
      LEFT JOIN LATERAL (
        SELECT c.id AS change_id, c.kind, c.row_id AS id, c.data_key, c.revision, c.changed_by AS by_user_id,
          c.is_deleted, ${vaOf(sql`c.audience`)} AS va_id
        FROM ${toldTo(audience)}
        JOIN row_change c ON c.audience = told
        WHERE c.xid >= pg_snapshot_xmin(${seen}::pg_snapshot) AND NOT pg_visible_in_snapshot(c.xid, ${seen}::pg_snapshot)
          AND pg_visible_in_snapshot(c.xid, h.now) AND c.id > ${page?.afterId ?? 0}
          AND coalesce(c.kind = ANY(${kinds && [...kinds]}::text[]), true)
        ORDER BY c.id LIMIT ${limit}) c ON true
      ORDER BY c.change_id`);
    const [first] = rows;
    if (!first) throw new Error('the position of the feed has no row');
    return {
      source: first.source,
      now: first.now,
      changes: rows.flatMap((row) => {
        if (row.changeId === null) return [];
        const { source: _source, now: _now, ...change } = row;
        return [change];
      }),
    };
  },

  /** The users whom changes since this snapshot concern, and the next snapshot. */
  changedSince: async (seen: string): Promise<{ now: string; audiences: string[] }> =>
    db.one<{ now: string; audiences: string[] }>(sql`
      SELECT pg_current_snapshot()::text AS now, ARRAY(
        SELECT DISTINCT audience FROM row_change c
        WHERE c.xid >= pg_snapshot_xmin(${seen}::pg_snapshot) AND NOT pg_visible_in_snapshot(c.xid, ${seen}::pg_snapshot)) AS audiences`),
});

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
