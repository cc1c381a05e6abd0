import type { ProgressChange, StoredProgress } from '#domain/crew/progress.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';
import type { Present } from '#domain/crew/presence.ts';
import { mayRead } from '../ofp/access.ts';

export const presenceRepo = (db: ReadDb) => ({
  /** Users seen after this time, of those who may read the plan. */
  present: (ofpId: string, { after, now }: { after: Date; now: Date }): Promise<Present[]> =>
    db.any<Present>(sql`
      SELECT p.user_id, u.streaming_alias AS alias, u.firstname, u.lastname, p.role, p.seen_at
      FROM crew_presence p JOIN app_user u ON u.id = p.user_id
      WHERE p.ofp_id = ${ofpId} AND p.seen_at > ${after}
        AND ${mayRead(sql`p.ofp_id`, sql`p.user_id`, now)} ORDER BY p.user_id`),
});

export const presenceWrites = (tx: Tx) => ({
  seen: (ofpId: string, userId: number, role: string | null | undefined, now: Date): Promise<number> =>
    tx.run(sql`
      INSERT INTO crew_presence AS p (ofp_id, user_id, role, seen_at) VALUES (${ofpId}, ${userId}, ${role ?? null}, ${now})
      ON CONFLICT (ofp_id, user_id) DO UPDATE SET seen_at = excluded.seen_at,
        role = CASE WHEN ${role === undefined}::boolean THEN p.role ELSE excluded.role END`),

  left: (ofpId: string, userId: number): Promise<number> =>
    tx.run(sql`DELETE FROM crew_presence WHERE ofp_id = ${ofpId} AND user_id = ${userId}`),
});

const columns = sql`checklist_id, done, revision, updated_at`;

interface SavedChange extends ProgressChange {
  ofpId: string;
  checklistId: string;
  userId: number;
  now: Date;
  /** Starts again: only the items of this change are done. */
  reset: boolean;
  expectedVersion: number | undefined;
}

export const progressRepo = (db: ReadDb) => ({
  /** Progress of one checklist in a plan, or of all; sorted by checklist. */
  ofPlan: (ofpId: string, checklistId: string | null): Promise<StoredProgress[]> =>
    db.any<StoredProgress>(sql`
      SELECT ${columns} FROM checklist_progress
      WHERE ofp_id = ${ofpId} AND checklist_id = coalesce(${checklistId}, checklist_id) ORDER BY checklist_id`),

  checklistIds: (ofpId: string): Promise<string[]> =>
    db.values<string>(sql`
        SELECT checklist_id FROM checklist_progress WHERE ofp_id = ${ofpId} ORDER BY checklist_id`),
});

export const progressWrites = (tx: Tx) => ({
  /** Merges rows of a checklist that were stored under ids of several API versions: the last saved one is kept under `to`. */
  unite: (ofpId: string, from: readonly string[], to: string): Promise<number> =>
    tx.run(sql`
      WITH others AS (
        DELETE FROM checklist_progress WHERE ofp_id = ${ofpId} AND checklist_id = ANY (${[...from]}::text[])
        RETURNING done, revision, updated_by, updated_at)
      INSERT INTO checklist_progress AS p (ofp_id, checklist_id, done, revision, updated_by, updated_at)
      SELECT ${ofpId}, ${to}, done, revision, updated_by, updated_at FROM others ORDER BY revision DESC LIMIT 1
      ON CONFLICT (ofp_id, checklist_id) DO UPDATE SET done = excluded.done, revision = excluded.revision,
        updated_by = excluded.updated_by, updated_at = excluded.updated_at
      WHERE p.revision < excluded.revision`),

  /**
   * Concurrent changes of several pilots all count: an item remains done by the first. Null: another revision is
   * stored.
   */
  save: (change: SavedChange): Promise<StoredProgress | null> => {
    const { ofpId, checklistId, userId, now, done, undone, reset, expectedVersion } = change;
    return tx.maybe<StoredProgress>(sql`
      INSERT INTO checklist_progress AS p (ofp_id, checklist_id, done, updated_by, updated_at)
      VALUES (${ofpId}, ${checklistId}, ${JSON.stringify(done)}, ${userId}, ${now})
      ON CONFLICT (ofp_id, checklist_id) DO UPDATE SET
        done = excluded.done || CASE WHEN ${reset}::boolean THEN '{}' ELSE p.done - ${undone}::text[] END,
        revision = nextval('row_revision'), updated_by = excluded.updated_by, updated_at = excluded.updated_at
      WHERE coalesce(${expectedVersion ?? null}::bigint, p.revision) = p.revision
      RETURNING ${columns}`);
  },
});
