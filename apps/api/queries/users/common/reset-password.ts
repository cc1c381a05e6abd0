import { passwords } from '#data/auth/passwords.ts';
import { claimPurchases } from '#commands/subscriptions/claim-purchases.ts';
import { findReset, resetPassword } from '#commands/users/reset-password.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import type { StoredReset } from '#data/postgres/users/password-resets.ts';
import type { RunTransaction, Tools } from '../../../handler-context.ts';
import { hashing } from './hashing.ts';

export interface ResetParts extends Pick<Tools, 'config' | 'clock' | 'jobs'> {
  db: ReadDb;
  transaction: RunTransaction;
}

/**
 * Redeems a link: sets the new password and ends what was handed out with the old one. Returns the reset,
 * with its return URL. Throws INVALID_RESET_TOKEN (unknown or used) or RESET_TOKEN_EXPIRED.
 */
export const useResetToken = async (
  { db, transaction, config, clock, jobs }: ResetParts,
  { token, password, renewApiKey }: { token: string; password: string; renewApiKey: boolean },
): Promise<StoredReset> => {
  const reset = await findReset(db, { clock }, token);
  const passwordHash = await hashing(passwords.hash(password));
  await transaction(async (tx) => {
    await resetPassword(tx, { config, clock, jobs }, { reset, passwordHash, renewsApiKey: renewApiKey });
    // The link was mailed: whoever has it owns the address.
    await claimPurchases(tx, { jobs }, reset);
  });
  return reset;
};
