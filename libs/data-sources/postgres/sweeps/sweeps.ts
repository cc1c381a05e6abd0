import { leastEntryBytes } from '#domain/users/storage.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Sql, Tx } from '../sql.ts';

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
export const sweepWrites = (tx: Tx) => {
  /** Rows of `table t` for which the condition is true; `key` is its primary key. */
  const deleteBatch = (table: Sql, key: Sql, condition: Sql): Promise<number> =>
    tx.run(sql`
      DELETE FROM ${table} WHERE (${key}) IN (
        SELECT ${key} FROM ${table} t WHERE ${condition} LIMIT ${sweepBatch})`);

  return {
    /** Deletes the contents; the row is kept for statistics. */
    emptyCalculations: async (ids: readonly number[]): Promise<void> => {
      await tx.run(sql`DELETE FROM graphic WHERE calculation_id = ANY(${ids}::bigint[])`);
      await tx.run(sql`
        UPDATE calculation SET request = '{}', result = '{}', drawing = NULL WHERE id = ANY(${ids}::bigint[])`);
    },

    deletePasswordResets: (before: Date) =>
      deleteBatch(sql`password_reset`, sql`id`, sql`expires_at < ${before}`),

    deleteEmailProofs: (before: Date) => deleteBatch(sql`email_proof`, sql`id`, sql`expires_at < ${before}`),

    deleteSessions: (before: Date) => deleteBatch(sql`user_session`, sql`id`, sql`expires_at < ${before}`),

    deleteRateLimits: (before: Date) =>
      deleteBatch(sql`rate_limit`, sql`key, window_start`, sql`expires_at < ${before}`),

    deleteConfirmations: (before: Date) =>
      deleteBatch(sql`used_confirmation`, sql`token_hash`, sql`expires_at < ${before}`),

    /** Messages that were applied or change nothing, and parked ones that no account has claimed. */
    deleteGatewayEvents: (before: { ended: Date; parked: Date }) =>
      deleteBatch(
        sql`gateway_event`,
        sql`id`,
        sql`(received_at < ${before.ended} AND state IN ('applied', 'ignored'))
          OR (received_at < ${before.parked} AND state = 'parked')`,
      ),

    deleteFormerUsage: (before: Date) => deleteBatch(sql`former_usage`, sql`id`, sql`used_at < ${before}`),

    deleteAudit: (before: Date) => deleteBatch(sql`audit`, sql`id`, sql`at < ${before}`),

    deleteConsoleTokens: (before: Date) =>
      deleteBatch(sql`console_token`, sql`id`, sql`expires_at < ${before}`),

    /** The last mail of a deleted account is the only place that still has its address. */
    deleteSentMails: (before: Date) =>
      deleteBatch(
        sql`outgoing_mail`,
        sql`id`,
        sql`sent_at < ${before} OR (sent_at IS NOT NULL AND key LIKE 'account-deleted:%')`,
      ),

    /** Uploads are final within a minute; what remains of them only says how they ended. */
    deletePictureUploads: (before: Date) =>
      deleteBatch(sql`picture_upload`, sql`id`, sql`created_at < ${before}`),

    /** Secret mails that could not be sent, when their jobs are gone, too. */
    deleteLostSecretMails: (before: Date) =>
      deleteBatch(sql`outgoing_mail`, sql`id`, sql`is_secret AND sent_at IS NULL AND created_at < ${before}`),

    /** Flight plans with their documents and flight data, unless a share of them can be used. */
    deleteOfps: (before: Date) =>
      deleteBatch(
        sql`ofp`,
        sql`id`,
        sql`expires_at < ${before} AND NOT EXISTS (
          SELECT 1 FROM ofp_share s WHERE s.owner_id = t.user_id AND s.ofp_id = t.id AND s.status <> 'revoked'
            AND (s.expires_at IS NULL OR s.expires_at > ${before}))`,
      ),

    /** The last forecasts of stations that have stopped issuing them. */
    deleteTafs: (before: Date) =>
      deleteBatch(sql`taf`, sql`icao`, sql`coalesce(valid_to, issued_at + interval '30 hours') < ${before}`),

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

    deleteEffects: (kind: string, before: Date) =>
      deleteBatch(sql`effect`, sql`key`, sql`kind = ${kind} AND done_at < ${before}`),
  };
};
