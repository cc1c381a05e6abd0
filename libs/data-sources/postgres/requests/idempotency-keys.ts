/** Calls with the header Idempotency-Key, and their answers. */
import { addSeconds } from '#domain/time.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

/** So long a repetition gets the answer of the first call. */
export const idempotencyHours = 24;
/** A call that has written nothing for so long was cut off, and may be run again. */
const leaseSeconds = 30;
/** Answers of an account that are kept at the same time; more of them are known to have been given, but not repeated. */
const maxAnswerBytes = 16_777_216;

export interface KeyedCall {
  userId: number;
  key: string;
  fingerprint: Buffer;
  claim: string;
}

export interface EarlierCall {
  isSame: boolean;
  /** False: it may still be running. */
  isOver: boolean;
  answer: Buffer | null;
}

export const idempotencyRepo = (db: ReadDb) => ({
  isKnown: async ({ userId, key }: Pick<KeyedCall, 'userId' | 'key'>): Promise<boolean> =>
    (await db.maybe(
      sql`SELECT 1 AS found FROM idempotency_key WHERE user_id = ${userId} AND key = ${key}`,
    )) !== null,

  earlier: async ({ userId, key, fingerprint }: KeyedCall, now: Date): Promise<EarlierCall | null> =>
    db.maybe<EarlierCall & Record<string, unknown>>(sql`
      SELECT fingerprint = ${fingerprint} AS "isSame", answer,
        answer IS NOT NULL OR (is_applied AND claimed_at <= ${addSeconds(now, -leaseSeconds)}) AS "isOver"
      FROM idempotency_key WHERE user_id = ${userId} AND key = ${key}`),
});

export const idempotencyWrites = (tx: Tx) => ({
  /** True when the call is to be run now: its key is new, or was claimed by a process that has been cut off before it wrote. */
  claim: async ({ userId, key, fingerprint, claim }: KeyedCall, now: Date): Promise<boolean> =>
    (await tx.run(sql`
      INSERT INTO idempotency_key AS known (user_id, key, fingerprint, claim, claimed_at, created_at)
      VALUES (${userId}, ${key}, ${fingerprint}, ${claim}, ${now}, ${now})
      ON CONFLICT (user_id, key) DO UPDATE SET fingerprint = excluded.fingerprint, claim = excluded.claim,
        claimed_at = excluded.claimed_at, created_at = excluded.created_at, is_applied = false, answer = NULL
      WHERE known.created_at <= ${addSeconds(now, -idempotencyHours * 3_600)}
        OR (NOT known.is_applied AND known.fingerprint = excluded.fingerprint
          AND known.claimed_at <= ${addSeconds(now, -leaseSeconds)})`)) === 1,

  /** With what the call writes; false when another process has taken it over. */
  apply: async ({ userId, key, claim }: KeyedCall): Promise<boolean> => {
    const applied = await tx.run(sql`
      UPDATE idempotency_key SET is_applied = true WHERE user_id = ${userId} AND key = ${key} AND claim = ${claim}`);
    if (applied === 1) return true;
    // Deleted with the account.
    return (
      (await tx.maybe(
        sql`SELECT 1 AS found FROM idempotency_key WHERE user_id = ${userId} AND key = ${key}`,
      )) === null
    );
  },

  keep: ({ userId, key, claim }: KeyedCall, answer: Buffer): Promise<number> =>
    tx.run(sql`
      UPDATE idempotency_key SET is_applied = true, answer = ${answer}
      WHERE user_id = ${userId} AND key = ${key} AND claim = ${claim} AND ${answer.length} <= ${maxAnswerBytes} - (
        SELECT coalesce(sum(octet_length(answer)), 0) FROM idempotency_key WHERE user_id = ${userId})`),

  /** After a refusal or a failure: unless the call has been carried out all the same, the key can be used again. */
  release: ({ userId, key, claim }: KeyedCall): Promise<number> =>
    tx.run(sql`
      DELETE FROM idempotency_key
      WHERE user_id = ${userId} AND key = ${key} AND claim = ${claim} AND NOT is_applied`),
});
