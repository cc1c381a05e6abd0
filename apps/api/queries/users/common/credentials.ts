/** Verifies email address and password, and limits attempts. */
import { passwords } from '#store/auth/passwords.ts';
import { userRepo } from '#store/postgres/users/users.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import type { Caller } from '#domain/users/types.ts';
import { claimPurchases } from '#commands/subscriptions/messages.ts';
import { findReset, resetPassword } from '#commands/users/credentials.ts';
import type { StoredReset } from '#store/postgres/users/password-resets.ts';
import type { Limit } from '../../../limits.ts';
import type { Needs } from '../../../handler-context.ts';

/** Counts attempts by account and address, whatever the outcome. */
export const loginLimit: Limit = {
  name: 'login',
  points: 10,
  perSeconds: 900,
  by: [{ account: 'email' }, 'ip'],
};

/** Counts failed logins of an address that tries many accounts. */
export const loginAddressLimit: Limit = {
  name: 'loginAddress',
  points: 50,
  perSeconds: 900,
  by: 'ip',
  counts: 'failures',
};

export const credentialErrors = {
  // Unknown addresses and wrong passwords get the same text after the same work.
  INVALID_CREDENTIALS: { status: 401, message: 'Incorrect email address or password.' },
  ACCOUNT_DISABLED: 403,
} as const;

type ProvedAccount = NonNullable<Awaited<ReturnType<ReturnType<typeof userRepo>['credentials']>>>;

/** Throws `fail` with INVALID_CREDENTIALS or ACCOUNT_DISABLED. */
export const verifiedAccount = async (
  { db, fail }: { db: ReadDb; fail: (code: keyof typeof credentialErrors) => Error },
  { email, password }: { email: string; password: string },
): Promise<ProvedAccount> => {
  const account = await userRepo(db).credentials(email);
  const matches = await passwords.verify(account?.passwordHash ?? null, password);
  if (!account || !matches) throw fail('INVALID_CREDENTIALS');
  if (account.isDisabled) throw fail('ACCOUNT_DISABLED');
  return account;
};

/** For calls of signed-in users that require the password again. */
export const passwordLimit: Limit = { name: 'password', points: 10, perSeconds: 900, by: 'user' };

export const incorrectPassword = {
  INCORRECT_PASSWORD: { status: 403, message: 'The password is incorrect.' },
} as const;

/** Throws INCORRECT_PASSWORD. */
export const checkPassword = async (
  { db, caller, fail }: { db: ReadDb; caller: Caller; fail: (code: 'INCORRECT_PASSWORD') => Error },
  password: string,
): Promise<void> => {
  const account = await userRepo(db).credentials(caller.email);
  if (!(await passwords.verify(account?.passwordHash ?? null, password))) throw fail('INCORRECT_PASSWORD');
};

/**
 * Redeems a reset link: sets the new password and revokes everything issued under the old one. Returns the reset with
 * its return URL. Throws INVALID_RESET_TOKEN (unknown or used) or RESET_TOKEN_EXPIRED.
 */
export const useResetToken = async (
  { db, transaction, config, clock, jobs }: Needs<'db' | 'transaction' | 'config' | 'clock' | 'jobs'>,
  { token, password, renewApiKey }: { token: string; password: string; renewApiKey: boolean },
): Promise<StoredReset> => {
  const reset = await findReset(db, { clock }, token);
  const passwordHash = await passwords.hash(password);
  await transaction(async (tx) => {
    await resetPassword(tx, { config, clock, jobs }, { reset, passwordHash, renewsApiKey: renewApiKey });
    // The link was mailed, so whoever uses it owns the address.
    await claimPurchases(tx, { jobs }, reset);
  });
  return reset;
};
