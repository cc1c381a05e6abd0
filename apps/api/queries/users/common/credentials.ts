/** Who proves an account with its address and password: the limits of guesses, and the comparison. */
import { passwords } from '#data/auth/passwords.ts';
import { userRepo } from '#data/postgres/users/users.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import type { Limit } from '../../../limits.ts';
import { hashing } from './hashing.ts';

/** By account and address, whatever the outcome. */
export const loginLimit: Limit = {
  name: 'login',
  points: 10,
  perSeconds: 900,
  by: [{ account: 'email' }, 'ip'],
};

/** An address that tries many accounts; successful logins do not count. */
export const loginAddressLimit: Limit = {
  name: 'loginAddress',
  points: 50,
  perSeconds: 900,
  by: 'ip',
  counts: 'failures',
};

export const credentialErrors = {
  // The same text for an unknown email address and a wrong password, after the same work.
  INVALID_CREDENTIALS: { status: 401, message: 'Incorrect email address or password.' },
  ACCOUNT_DISABLED: 403,
} as const;

type ProvedAccount = NonNullable<Awaited<ReturnType<ReturnType<typeof userRepo>['credentials']>>>;

/** Throws what `fail` makes of INVALID_CREDENTIALS or ACCOUNT_DISABLED. */
export const provedAccount = async (
  { db, fail }: { db: ReadDb; fail: (code: keyof typeof credentialErrors) => Error },
  { email, password }: { email: string; password: string },
): Promise<ProvedAccount> => {
  const account = await userRepo(db).credentials(email);
  const matches = await hashing(passwords.verify(account?.passwordHash ?? null, password));
  if (!account || !matches) throw fail('INVALID_CREDENTIALS');
  if (account.isDisabled) throw fail('ACCOUNT_DISABLED');
  return account;
};
