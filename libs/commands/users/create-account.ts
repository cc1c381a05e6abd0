import { crewcodeOf } from '#domain/users/crewcode.ts';
import type { Rank } from '#domain/users/fields.ts';
import type { Clock } from '#domain/time.ts';
import { newApiKey, sealApiKey, sealPin } from '#store/auth/api-keys.ts';
import { hashesOfEmail } from '#store/auth/email-hashes.ts';
import type { Config } from '#platform/config/config.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { formerUsageWrites } from '#store/postgres/users/former-usage.ts';
import { userWrites } from '#store/postgres/users/users.ts';

export interface NewAccount {
  email: string;
  /** Hashed before the transaction, which must not be held open during argon2. */
  passwordHash: string;
  firstname: string;
  lastname: string;
  rank: Rank;
  /** Absent or empty: derived from the names. */
  crewcode?: string | null | undefined;
  pin?: string | null | undefined;
  preferences?: Record<string, unknown>;
  /** The application that registers the user; null for the operator. */
  developerKeyId: number | null;
}

export interface CreatedAccount {
  userId: number;
  crewcode: string;
  apiKey: string;
}

/** Creates an account with an API key. Throws EMAIL_ALREADY_REGISTERED, even when two calls race. */
export const createAccount = async (
  tx: Tx,
  { clock, config }: { clock: Clock; config: Pick<Config, 'ENCRYPTION_KEYS'> },
  account: NewAccount,
): Promise<CreatedAccount> => {
  const crewcode = account.crewcode || crewcodeOf(account.firstname, account.lastname);
  const apiKey = newApiKey();
  const keys = config.ENCRYPTION_KEYS;
  const userId = await userWrites(tx).create({
    ...account,
    ...sealApiKey(apiKey, keys),
    crewcode,
    pinSealed: account.pin ? sealPin(account.pin, keys) : null,
    preferences: account.preferences ?? {},
    createdAt: clock.now(),
  });
  await formerUsageWrites(tx).claim(userId, hashesOfEmail(account.email, keys));
  return { userId, crewcode, apiKey };
};
