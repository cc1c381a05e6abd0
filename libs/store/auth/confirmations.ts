/** Signatures and confirmation tokens of the signed subscription endpoint (M-4.8). */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { addSeconds } from '#domain/time.ts';
import type { Caller } from '#domain/users/types.ts';
import { sql } from '../postgres/sql.ts';
import type { Tx } from '../postgres/sql.ts';

const hmac = (key: string, message: string): string =>
  createHmac('sha256', key).update(message).digest('hex');

/** Equal texts, in a time that depends only on their length. */
export const isSameText = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
};

interface SignedCall {
  userId: number;
  apiKey: string;
  /** Unix seconds, as sent. */
  timestamp: string;
  action: string;
}

/** The lower-case hex signature of a call. The key is itself a hash, of user id and safety code. */
export const callSignature = (
  safetyCode: string,
  { userId, apiKey, timestamp, action }: SignedCall,
): string =>
  hmac(createHash('sha256').update(`${userId}${safetyCode}`).digest('hex'), `${apiKey}${timestamp}${action}`);

export const timestampToleranceSeconds = 300;
export const confirmationSeconds = 600;

/**
 * The time for a signature or confirmation made now, which must differ from the time of the last change of the
 * password.
 */
export const issueTime = (now: Date, { credentialsFrom }: Pick<Caller, 'credentialsFrom'>): Date =>
  credentialsFrom > now ? credentialsFrom : now;

interface Confirmation {
  action: string;
  subscriptionId: number | null;
  userId: number;
}

const confirmationHash = (
  safetyCode: string,
  { action, subscriptionId, userId }: Confirmation,
  timestamp: number,
): string => hmac(safetyCode, `${action}_${subscriptionId ?? 'general'}_${timestamp}_${userId}`);

/** A token that confirms one action, valid for 10 minutes from `now`. */
export const confirmationToken = (safetyCode: string, confirmation: Confirmation, now: Date): string => {
  const { action, subscriptionId, userId } = confirmation;
  const timestamp = Math.floor(now.getTime() / 1_000);
  const hash = confirmationHash(safetyCode, confirmation, timestamp);
  const parts = { action, subscription_id: subscriptionId, timestamp, user_id: userId, hash };
  return Buffer.from(JSON.stringify(parts)).toString('base64');
};

const digitsSchema = z.union([
  z.int().nonnegative(),
  z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number),
]);

const tokenSchema = z.strictObject({
  action: z.string(),
  subscription_id: digitsSchema.nullable(),
  timestamp: digitsSchema,
  user_id: digitsSchema,
  hash: z.string(),
});

const parsed = (given: string): z.output<typeof tokenSchema> | null => {
  const token = given.replaceAll(/\s/g, '');
  if (!/^[\w+/-]{1,2000}={0,2}$/.test(token)) return null;
  try {
    return tokenSchema.parse(JSON.parse(Buffer.from(token, 'base64').toString('utf8')));
  } catch {
    // Neither JSON nor the fields of a token: the caller reports an invalid one.
    return null;
  }
};

type CheckedConfirmation =
  | { problem: 'invalid' | 'expired' }
  | { problem: null; tokenHash: Buffer; issuedAt: Date; expiresAt: Date };

/** Whether the token confirms exactly this. `tokenHash` is the same for every spelling of the token. */
export const checkConfirmation = (
  safetyCodes: readonly string[],
  token: string,
  expected: Confirmation & Pick<Caller, 'credentialsFrom'>,
  now: Date,
): CheckedConfirmation => {
  const given = parsed(token);
  if (!given) return { problem: 'invalid' };
  const { action, subscription_id: subscriptionId, user_id: userId, timestamp, hash } = given;
  const isGenuine = safetyCodes.some((code) =>
    isSameText(hash, confirmationHash(code, { action, subscriptionId, userId }, timestamp)),
  );
  const isMeant =
    action === expected.action && subscriptionId === expected.subscriptionId && userId === expected.userId;
  if (!isGenuine || !isMeant) return { problem: 'invalid' };
  const issuedAt = new Date(timestamp * 1_000);
  const ageSeconds = (now.getTime() - issuedAt.getTime()) / 1_000;
  // The sender's clock may be ahead by as much as a signed call's.
  if (ageSeconds < -timestampToleranceSeconds) return { problem: 'invalid' };
  if (ageSeconds >= confirmationSeconds + 1 || issuedAt < expected.credentialsFrom)
    return { problem: 'expired' };
  const tokenHash = createHash('sha256').update(hash).digest();
  return { problem: null, tokenHash, issuedAt, expiresAt: addSeconds(issuedAt, confirmationSeconds + 1) };
};

export const confirmationWrites = (tx: Tx) => ({
  /** False when the token was used before. */
  use: async (tokenHash: Buffer, userId: number, expiresAt: Date): Promise<boolean> =>
    (await tx.run(sql`
      INSERT INTO used_confirmation (token_hash, user_id, expires_at) VALUES (${tokenHash}, ${userId}, ${expiresAt})
      ON CONFLICT (token_hash) DO NOTHING`)) > 0,

  /** For a refused action, which does not use up the token. */
  release: (tokenHash: Buffer): Promise<number> =>
    tx.run(sql`DELETE FROM used_confirmation WHERE token_hash = ${tokenHash}`),
});
