/** Calls with the header Idempotency-Key, and their answers. */
import { addSeconds } from '#domain/time.ts';
import type { CreatedKind } from '#domain/fields/client-id.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

/** Repetitions get the answer of the first call for this long. */
export const idempotencyHours = 24;
/** A call that has written nothing for this long was cut off, and may be run again. */
const leaseSeconds = 30;
/**
 * Maximum size of an account's stored answers. Beyond it a call is known to have been answered, but its answer is not
 * repeated.
 */
const maxAnswerBytes = 16_777_216;

export interface KeyedCall {
  userId: number;
  key: string;
  fingerprint: Buffer;
  claim: string;
}

interface EarlierCall {
  isSame: boolean;
  /** False: it may still be running. */
  isOver: boolean;
  answer: Buffer | null;
}

export const idempotencyRepo = (db: ReadDb) => ({
  isKnown: ({ userId, key }: Pick<KeyedCall, 'userId' | 'key'>): Promise<boolean> =>
    db.exists(sql`SELECT 1 AS found FROM idempotency_key WHERE user_id = ${userId} AND key = ${key}`),

  earlier: async ({ userId, key, fingerprint }: KeyedCall, now: Date): Promise<EarlierCall | null> =>
    db.maybe<EarlierCall>(sql`
      SELECT fingerprint = ${fingerprint} AS is_same, answer,
        answer IS NOT NULL OR (is_applied AND claimed_at <= ${addSeconds(now, -leaseSeconds)}) AS is_over
      FROM idempotency_key WHERE user_id = ${userId} AND key = ${key}`),
});

export const idempotencyWrites = (tx: Tx) => ({
  /** True if the call may run now: its key is new, or the process that claimed the key ended before it wrote anything. */
  claim: async ({ userId, key, fingerprint, claim }: KeyedCall, now: Date): Promise<boolean> =>
    (await tx.run(sql`
      INSERT INTO idempotency_key AS known (user_id, key, fingerprint, claim, claimed_at, created_at)
      VALUES (${userId}, ${key}, ${fingerprint}, ${claim}, ${now}, ${now})
      ON CONFLICT (user_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, claim = excluded.claim,
        claimed_at = excluded.claimed_at, created_at = excluded.created_at, is_applied = false, answer = NULL
      WHERE known.created_at <= ${addSeconds(now, -idempotencyHours * 3_600)}
        OR (NOT known.is_applied AND known.fingerprint = excluded.fingerprint
          AND known.claimed_at <= ${addSeconds(now, -leaseSeconds)})`)) === 1,

  /** Runs in the transaction of the call's writes; false if another process has taken the call over. */
  apply: async ({ userId, key, claim }: KeyedCall): Promise<boolean> => {
    const applied = await tx.run(sql`
      UPDATE idempotency_key SET is_applied = true WHERE user_id = ${userId} AND key = ${key} AND claim = ${claim}`);
    if (applied === 1) return true;
    // A missing key was deleted with the account, by this very call.
    return !(await tx.exists(
      sql`SELECT 1 AS found FROM idempotency_key WHERE user_id = ${userId} AND key = ${key}`,
    ));
  },

  keep: ({ userId, key, claim }: KeyedCall, answer: Buffer): Promise<number> =>
    tx.run(sql`
      UPDATE idempotency_key SET is_applied = true, answer = ${answer}
      WHERE user_id = ${userId} AND key = ${key} AND claim = ${claim} AND ${answer.length} <= ${maxAnswerBytes} - (
        SELECT coalesce(sum(octet_length(answer)), 0) FROM idempotency_key WHERE user_id = ${userId})`),

  /** After a refusal or a failure the key can be used again, unless the call was carried out nonetheless. */
  release: ({ userId, key, claim }: KeyedCall): Promise<number> =>
    tx.run(sql`
      DELETE FROM idempotency_key
      WHERE user_id = ${userId} AND key = ${key} AND claim = ${claim} AND NOT is_applied`),
});

/** The repetition of a creation is recognised for this long after the deletion of the row. */
export const deletedClientIdDays = 90;

export interface Creation {
  userId: number;
  kind: CreatedKind;
  clientId: string;
}

class CreatedMeanwhileError extends Error {
  override name = 'CreatedMeanwhileError';
}

/** True if a concurrent call with the same client id has committed first. */
export const isCreatedMeanwhile = (error: unknown): boolean =>
  error instanceof Error &&
  (error instanceof CreatedMeanwhileError ||
    ('constraint' in error && error.constraint === 'client_id_pkey') ||
    isCreatedMeanwhile(error.cause));

export const clientIdRepo = (db: ReadDb) => ({
  /** The row that was created with this id; null: none. */
  find: ({ userId, kind, clientId }: Creation): Promise<{ rowId: string; isGone: boolean } | null> =>
    db.maybe<{ rowId: string; isGone: boolean }>(sql`
      SELECT row_id, gone_at IS NOT NULL AS is_gone FROM client_id
      WHERE user_id = ${userId} AND kind = ${kind} AND client_id = ${clientId}`),
});

export const clientIdWrites = (tx: Tx) => ({
  /**
   * Stores the id in the transaction of the creation; a row keeps only its last id. Waits for a concurrent call with this id,
   * and throws once that has committed (`isCreatedMeanwhile`).
   */
  keep: async ({ userId, kind, clientId }: Creation, rowId: string): Promise<void> => {
    const kept = await tx.run(sql`
      INSERT INTO client_id AS known (user_id, kind, client_id, row_id)
      VALUES (${userId}, ${kind}, ${clientId}, ${rowId})
      ON CONFLICT ON CONSTRAINT client_id_row DO UPDATE SET user_id = excluded.user_id, client_id = excluded.client_id,
        gone_at = NULL
      WHERE (known.user_id, known.client_id) <> (excluded.user_id, excluded.client_id)`);
    if (kept === 0) throw new CreatedMeanwhileError('the row has this id already');
  },
});
