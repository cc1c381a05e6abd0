import { leastEntryBytes } from '#domain/users/storage.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';
import type { Retention } from './retention.ts';

/** Rows per statement of a sweep, to keep locks and transactions short. */
export const sweepBatch = 2_000;

/** Changes of flight data, whose payloads may have megabytes. */
export const historyBatch = 500;

export interface ExpiredCalculation {
  id: number;
  /** Storage keys of its pictures. */
  paths: string[];
}

export const sweepRepo = (db: ReadDb) => ({
  /** Calculations whose contents have expired, oldest first; not while a report on them is open. */
  expiredCalculations: (before: Date, limit: number): Promise<ExpiredCalculation[]> =>
    db.any<ExpiredCalculation>(sql`
      SELECT c.id, ARRAY(SELECT g.path FROM graphic g WHERE g.calculation_id = c.id AND g.path IS NOT NULL) AS paths
      FROM calculation c
      WHERE c.created_at < ${before} AND c.request <> '{}' 
        AND NOT EXISTS (SELECT 1 FROM problem_report p WHERE p.log_id = c.log_id AND p.closed_at IS NULL)
      ORDER BY c.created_at LIMIT ${limit}`),
});

/** Deletions of the sweeps. Every function deletes at most one batch and returns the number of rows. */
export const sweepWrites = (tx: Tx) => ({
  /** Deletes the contents; the row is kept for statistics. */
  emptyCalculations: async (ids: readonly number[]): Promise<void> => {
    await tx.run(sql`DELETE FROM graphic WHERE calculation_id = ANY(${ids}::bigint[])`);
    await tx.run(sql`
        UPDATE calculation SET request = '{}', result = '{}', drawing = NULL WHERE id = ANY(${ids}::bigint[])`);
  },

  /** A batch of what the retention no longer keeps. */
  deleteExpired: async ({ table, key, isExpired, alongside }: Retention, end: Date): Promise<number> => {
    const { gone } = await tx.one<{ gone: number }>(sql`
        WITH gone AS (
          DELETE FROM ${table} WHERE (${key}) IN (
            SELECT ${key} FROM ${table} t WHERE ${isExpired(end)} LIMIT ${sweepBatch})
          RETURNING *)${alongside ? sql`, noted AS (${alongside})` : sql``}
        SELECT count(*) AS gone FROM gone`);
    return gone;
  },

  /**
   * Of changes of flight data before this day the last one of each day remains, of saves and of deletions: it is
   * deleted, or marked as done. Returns the number of changes that were looked at.
   */
  thinFlightData: async (before: Date): Promise<number> =>
    (
      await tx.one<{ seen: number }>(sql`
          WITH batch AS (
            SELECT c.id, EXISTS (
              SELECT 1 FROM flight_data_change l
              WHERE l.flight_data_id = c.flight_data_id AND l.id > c.id
                AND (l.change_type = 'delete') = (c.change_type = 'delete')
                AND date_trunc('day', l.changed_at, 'UTC') = date_trunc('day', c.changed_at, 'UTC')) AS is_outdated
            FROM flight_data_change c JOIN flight_data f ON f.id = c.flight_data_id
            WHERE NOT c.is_thinned AND c.changed_at < ${before}
            ORDER BY c.changed_at LIMIT ${historyBatch} FOR NO KEY UPDATE OF f SKIP LOCKED),
          removed AS (
            DELETE FROM flight_data_change c USING batch b WHERE c.id = b.id AND b.is_outdated
            RETURNING c.flight_data_id, CASE c.change_type WHEN 'delete' THEN ${leastEntryBytes}::int
              ELSE greatest(${leastEntryBytes}::int, c.payload_bytes) END AS bytes),
          freed AS (
            UPDATE flight_data f SET stored_bytes = f.stored_bytes - r.bytes
            FROM (SELECT flight_data_id, sum(bytes)::bigint AS bytes FROM removed GROUP BY 1) r
            WHERE f.id = r.flight_data_id),
          kept AS (
            UPDATE flight_data_change c SET is_thinned = true FROM batch b WHERE c.id = b.id AND NOT b.is_outdated)
          SELECT count(*) AS seen FROM batch`)
    ).seen,
});
