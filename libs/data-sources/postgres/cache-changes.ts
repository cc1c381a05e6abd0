/** What caches hold and commits have changed (`cache_change` in the migrations). */
import type { CacheChange } from '#domain/announcement.ts';
import { sql } from './sql.ts';
import type { ReadDb, Tx } from './sql.ts';

export interface CacheChanges {
  /** What the reading sees: the next one reads on from there. */
  seen: string;
  /** Process of the server that reads, and its start. Another one, after a lost connection, may be of a server that has lost rows. */
  session: string;
  changes: CacheChange[];
}

interface Row extends Record<string, unknown> {
  seen: string;
  session: string;
  kind: string | null;
  ids: string[];
}

export const cacheChangeRepo = (db: ReadDb) => ({
  /** What was committed since this snapshot, however its transactions are numbered; nothing without one. */
  since: async (seen: string | null): Promise<CacheChanges> => {
    // Both in one statement, so that the changes are exactly those before the snapshot.
    const rows = await db.any<Row>(sql`
      SELECT pg_current_snapshot()::text AS seen, pg_backend_pid() || ' ' || pg_postmaster_start_time() AS session,
        c.kind, c.ids
      FROM (SELECT ${seen}::pg_snapshot AS seen) s LEFT JOIN LATERAL (
        SELECT kind, ids FROM cache_change WHERE xid >= pg_snapshot_xmax(s.seen)
        UNION ALL SELECT kind, ids FROM cache_change WHERE xid = ANY (ARRAY(SELECT pg_snapshot_xip(s.seen)))) c ON true`);
    const [first] = rows;
    if (!first) throw new Error('the position of the changes has no row');
    const changes = rows.flatMap(({ kind, ids }) => (kind === null ? [] : [{ kind, ids }]));
    return { seen: first.seen, session: first.session, changes };
  },
});

export const cacheChangeWrites = (tx: Tx) => ({
  /** Drops the minute whose changes were all committed before this snapshot, which is older than any process lags behind. */
  drop: async (seen: string): Promise<boolean> =>
    (await tx.one<{ isDropped: boolean }>(sql`SELECT drop_read_changes(${seen}::pg_snapshot) AS "isDropped"`))
      .isDropped,
});
