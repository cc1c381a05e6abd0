import { leastEntryBytes } from '#domain/users/storage.ts';
import { dayOf, timeOf } from '../users/statistics.ts';
import { ownText, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';
import type { Retention } from './retentions.ts';

/** Rows per statement of a sweep, to keep locks and transactions short. */
export const sweepBatch = 2_000;

/** Changes of flight data, whose payloads may have megabytes. */
export const historyBatch = 500;

interface ExpiredCalculation {
  id: number;
  /** Storage keys of its pictures. */
  paths: string[];
}

export const sweepRepo = (db: ReadDb) => ({
  /** Calculations whose time has ended, oldest first; not while a report on them is open. */
  expiredCalculations: (before: Date, limit: number): Promise<ExpiredCalculation[]> =>
    db.any<ExpiredCalculation>(sql`
      SELECT c.id, ARRAY(SELECT g.path FROM graphic g WHERE g.calculation_id = c.id AND g.path IS NOT NULL) AS paths
      FROM calculation c
      WHERE c.created_at < ${before}
        AND NOT EXISTS (SELECT 1 FROM problem_report p WHERE p.log_id = c.log_id AND p.closed_at IS NULL)
      ORDER BY c.created_at LIMIT ${limit}`),
});

/** Deletions of the sweeps. Every function deletes at most one batch and returns the number of rows. */
export const sweepWrites = (tx: Tx) => ({
  /** Deletes calculations with their drawings; statistics still count them. */
  countCalculations: async (ids: readonly number[]): Promise<void> => {
    // The deletion of an account deletes its calculations.
    await tx.any(sql`
        SELECT id FROM app_user
        WHERE id = ANY (ARRAY(SELECT DISTINCT user_id FROM calculation WHERE id = ANY(${ids}::bigint[])))
        ORDER BY id FOR KEY SHARE`);
    await tx.run(sql`
        WITH gone AS (
          DELETE FROM calculation WHERE id = ANY(${ids}::bigint[]) RETURNING user_id, kind, profile, airport, created_at)
        INSERT INTO calculation_day (user_id, day, kind, profile, airport, times)
        SELECT user_id, ${dayOf}, kind, profile, airport, string_agg(${timeOf}, '') FROM gone GROUP BY 1, 2, 3, 4, 5
        ON CONFLICT (user_id, day, kind, profile, airport)
          DO UPDATE SET times = calculation_day.times || excluded.times`);
  },

  /** A batch of expired rows, by physical position: joined by a key, all rows are read while a table is small. */
  deleteExpired: async ({ table, isExpired, alongside }: Retention, end: Date): Promise<number> => {
    const rows = ownText(table);
    return tx.value<number>(sql`
        WITH gone AS (
          DELETE FROM ${rows} WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM ${rows} t WHERE ${isExpired(end)} LIMIT ${sweepBatch}))
          RETURNING *)${alongside ? sql`, noted AS (${alongside})` : sql``}
        SELECT count(*) AS gone FROM gone`);
  },

  /**
   * Of changes of flight data before this day the last one of each day remains, of saves and of deletions; the others
   * are deleted, and the last one is marked as thinned out. Returns the number of changes examined. Found by arrays of
   * ids: joined, all rows are read while the table is small.
   */
  thinFlightData: (before: Date): Promise<number> =>
    tx.value<number>(sql`
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
            DELETE FROM flight_data_change WHERE id = ANY (ARRAY(SELECT id FROM batch WHERE is_outdated))
            RETURNING flight_data_id, CASE change_type WHEN 'delete' THEN ${leastEntryBytes}::int
              ELSE greatest(${leastEntryBytes}::int, payload_bytes) END AS bytes),
          freed AS (
            UPDATE flight_data f SET stored_bytes = f.stored_bytes - r.bytes
            FROM (SELECT flight_data_id, sum(bytes)::bigint AS bytes FROM removed GROUP BY 1) r
            WHERE f.id = r.flight_data_id),
          kept AS (
            UPDATE flight_data_change SET is_thinned = true
            WHERE id = ANY (ARRAY(SELECT id FROM batch WHERE NOT is_outdated)))
          SELECT count(*) AS seen FROM batch`),
});
