import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

/** Rows per statement of a sweep, to keep locks and transactions short. */
export const sweepBatch = 2_000;

/** A row that an open problem report refers to is kept. `log` is the alias of the row's log id. */
const notReported = (log: 'l.id' | 'c.log_id') =>
  log === 'l.id'
    ? sql`NOT EXISTS (SELECT 1 FROM problem_report p WHERE p.log_id = l.id AND p.closed_at IS NULL)`
    : sql`NOT EXISTS (SELECT 1 FROM problem_report p WHERE p.log_id = c.log_id AND p.closed_at IS NULL)`;

export interface ExpiredCalculation {
  id: number;
  /** Storage keys of its pictures. */
  paths: string[];
}

export const sweepRepo = (db: ReadDb) => ({
  /** Calculations whose contents have expired, oldest first. */
  expiredCalculations: (before: Date, limit: number): Promise<ExpiredCalculation[]> =>
    db.any<ExpiredCalculation>(sql`
      SELECT c.id, ARRAY(SELECT g.path FROM graphic g WHERE g.calculation_id = c.id AND g.path IS NOT NULL) AS paths
      FROM calculation c
      WHERE c.created_at < ${before} AND c.request <> '{}' AND ${notReported('c.log_id')}
      ORDER BY c.created_at LIMIT ${limit}`),
});

/** Deletions of the sweeps. Every function deletes at most one batch and returns the number of rows. */
export const sweepWrites = (tx: Tx) => ({
  deleteLogs: (others: Date, calculations: Date): Promise<number> =>
    tx.run(sql`
      DELETE FROM request_log WHERE id IN (
        SELECT l.id FROM request_log l
        WHERE l.created_at < ${others} AND (NOT l.is_calculation OR l.created_at < ${calculations})
          AND ${notReported('l.id')}
        LIMIT ${sweepBatch})`),

  /** Responses that no log refers to, and that no call used since; all at once, because they are few. */
  deleteLogTexts: (before: Date): Promise<number> =>
    tx.run(sql`
      DELETE FROM request_log_text t WHERE t.used_at < ${before}
        AND NOT EXISTS (SELECT 1 FROM request_log l WHERE l.response_digest = t.digest)`),

  /** Deletes the contents; the row is kept for statistics. */
  emptyCalculations: async (ids: readonly number[]): Promise<void> => {
    await tx.run(sql`DELETE FROM graphic WHERE calculation_id = ANY(${ids}::bigint[])`);
    await tx.run(sql`
      UPDATE calculation SET request = '{}', result = '{}', drawing = NULL WHERE id = ANY(${ids}::bigint[])`);
  },

  deletePasswordResets: (before: Date): Promise<number> =>
    tx.run(sql`
      DELETE FROM password_reset WHERE id IN (
        SELECT id FROM password_reset WHERE expires_at < ${before} LIMIT ${sweepBatch})`),

  deleteRateLimits: (before: Date): Promise<number> =>
    tx.run(sql`
      DELETE FROM rate_limit WHERE (key, window_start) IN (
        SELECT key, window_start FROM rate_limit WHERE expires_at < ${before} LIMIT ${sweepBatch})`),

  deleteSentMails: (before: Date): Promise<number> =>
    tx.run(sql`
      DELETE FROM outgoing_mail WHERE id IN (
        SELECT id FROM outgoing_mail WHERE sent_at < ${before} LIMIT ${sweepBatch})`),

  deleteEffects: (kind: string, before: Date): Promise<number> =>
    tx.run(sql`
      DELETE FROM effect WHERE key IN (
        SELECT key FROM effect WHERE kind = ${kind} AND done_at < ${before} LIMIT ${sweepBatch})`),
});
