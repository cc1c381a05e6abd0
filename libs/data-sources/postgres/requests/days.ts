import { DatabaseError } from 'pg';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';
import type { LogDay } from './row.ts';

/** Rows of reports per call. */
const keptAtOnce = 100;
const keptBatch = 2_000;

/** True when an insert failed because the partition of its day is missing; a constraint would have a name. */
export const isMissingLogDay = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  error.code === '23514' &&
  error.constraint === undefined &&
  (error.table?.startsWith('request_log') ?? false);

export const logDayRepo = (db: ReadDb) => ({
  /** Days with partitions, oldest first. */
  all: (): Promise<LogDay[]> =>
    db.any<LogDay>(sql`
      SELECT name[2]::date::text AS day, name[1] = 'calculations' AS "isCalculation"
      FROM (SELECT regexp_match(relname, '^request_log_(calls|calculations)_([0-9]{8})$') AS name
        FROM pg_partition_tree('request_log') JOIN pg_class ON oid = relid WHERE isleaf) AS leaves
      WHERE name IS NOT NULL
      ORDER BY 1, 2`),

  /** Ids of rows of this day with an open report, that are not kept yet. */
  reported: async ({ day, isCalculation }: LogDay): Promise<number[]> => {
    const rows = await db.any<{ id: number }>(sql`
      SELECT DISTINCT l.id FROM problem_report p JOIN request_log l ON l.id = p.log_id
      WHERE p.closed_at IS NULL AND l.is_calculation = ${isCalculation}
        AND l.created_at >= ${day}::date::timestamp AT TIME ZONE 'UTC'
        AND l.created_at < (${day}::date + 1)::timestamp AT TIME ZONE 'UTC'
        AND NOT EXISTS (SELECT 1 FROM request_log_kept k WHERE k.id = p.log_id)
      LIMIT ${keptAtOnce}`);
    return rows.map(({ id }) => id);
  },
});

export const logDayWrites = (tx: Tx) => ({
  /** Creates the partitions of a day, unless they exist. Blocks no insert. */
  make: async (day: string): Promise<void> => {
    await tx.one(sql`SELECT request_log_make_day(${day}::date)`);
  },

  /**
   * Drops a day with all its rows. False while a row with an open report is not kept. Fails with 55P03 when a lock is
   * not free at once, so that inserts never wait for a reader.
   */
  drop: async ({ day, isCalculation }: LogDay): Promise<boolean> =>
    (
      await tx.one<{ dropped: boolean }>(
        sql`SELECT request_log_drop_day(${day}::date, ${isCalculation}) AS dropped`,
      )
    ).dropped,

  /** Deletes at most one batch of kept rows that no open report refers to; returns their number. */
  deleteKept: async (): Promise<number> => {
    // A report that is being written is waited for, so that its row is not deleted; a later one waits for this.
    await tx.run(sql`LOCK TABLE problem_report IN SHARE MODE`);
    return tx.run(sql`
      DELETE FROM request_log_kept WHERE id IN (
        SELECT k.id FROM request_log_kept k
        WHERE NOT EXISTS (SELECT 1 FROM problem_report p WHERE p.log_id = k.id AND p.closed_at IS NULL)
        LIMIT ${keptBatch})`);
  },
});
