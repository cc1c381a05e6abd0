import { passwords } from '#data/auth/passwords.ts';
import { userRepo } from '#data/postgres/users/users.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import type { Caller } from '#domain/users/types.ts';
import type { Limit } from '../../../limits.ts';
import { hashing } from './hashing.ts';

/** Calls of signed-in users that need the password again. */
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
  if (!(await hashing(passwords.verify(account?.passwordHash ?? null, password))))
    throw fail('INCORRECT_PASSWORD');
};
