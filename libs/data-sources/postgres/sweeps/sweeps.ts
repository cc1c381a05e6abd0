import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

/** Rows per statement of a sweep, to keep locks and transactions short. */
export const sweepBatch = 2_000;

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

  deletePasswordResets: (before: Date): Promise<number> =>
    tx.run(sql`
      DELETE FROM password_reset WHERE id IN (
        SELECT id FROM password_reset WHERE expires_at < ${before} LIMIT ${sweepBatch})`),

  deleteRateLimits: (before: Date): Promise<number> =>
    tx.run(sql`
      DELETE FROM rate_limit WHERE (key, window_start) IN (
        SELECT key, window_start FROM rate_limit WHERE expires_at < ${before} LIMIT ${sweepBatch})`),

  deleteConfirmations: (before: Date): Promise<number> =>
    tx.run(sql`
      DELETE FROM used_confirmation WHERE token_hash IN (
        SELECT token_hash FROM used_confirmation WHERE expires_at < ${before} LIMIT ${sweepBatch})`),

  /** Messages that were applied or change nothing; parked ones wait for the operator. */
  deleteGatewayEvents: (before: Date): Promise<number> =>
    tx.run(sql`
      DELETE FROM gateway_event WHERE id IN (
        SELECT id FROM gateway_event
        WHERE received_at < ${before} AND state IN ('applied', 'ignored') LIMIT ${sweepBatch})`),

  deleteSentMails: (before: Date): Promise<number> =>
    tx.run(sql`
      DELETE FROM outgoing_mail WHERE id IN (
        SELECT id FROM outgoing_mail WHERE sent_at < ${before} LIMIT ${sweepBatch})`),

  /** Uploads are final within a minute; what remains of them only says how they ended. */
  deletePictureUploads: (before: Date): Promise<number> =>
    tx.run(sql`
      DELETE FROM picture_upload WHERE id IN (
        SELECT id FROM picture_upload WHERE created_at < ${before} LIMIT ${sweepBatch})`),

  /** Secret mails that could not be sent, when their jobs are gone, too. */
  deleteLostSecretMails: (before: Date): Promise<number> =>
    tx.run(sql`
      DELETE FROM outgoing_mail WHERE id IN (
        SELECT id FROM outgoing_mail
        WHERE is_secret AND sent_at IS NULL AND created_at < ${before} LIMIT ${sweepBatch})`),

  /** Flight plans with their documents and flight data, unless a share of them can be used. */
  deleteOfps: (before: Date): Promise<number> =>
    tx.run(sql`
      DELETE FROM ofp WHERE id IN (
        SELECT id FROM ofp o WHERE expires_at < ${before} AND NOT EXISTS (
          SELECT 1 FROM ofp_share s WHERE s.owner_id = o.user_id AND s.ofp_id = o.id AND s.status <> 'revoked'
            AND (s.expires_at IS NULL OR s.expires_at > ${before}))
        LIMIT ${sweepBatch})`),

  deleteEffects: (kind: string, before: Date): Promise<number> =>
    tx.run(sql`
      DELETE FROM effect WHERE key IN (
        SELECT key FROM effect WHERE kind = ${kind} AND done_at < ${before} LIMIT ${sweepBatch})`),
});
