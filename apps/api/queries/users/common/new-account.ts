/** The making of an account, by the query register and at the page. */
import { createAccount } from '#commands/users/create-account.ts';
import type { NewAccount } from '#commands/users/create-account.ts';
import { mailVerification } from '#commands/users/mail-verification.ts';
import type { Context } from '#data/context.ts';
import { passwords } from '#data/auth/passwords.ts';
import type { ReadDb, Tx } from '#data/postgres/sql.ts';
import { userRepo } from '#data/postgres/users/users.ts';
import { emailField } from '#domain/fields/index.ts';
import { newPasswordSchema } from '#domain/users/fields.ts';
import { nameField } from '#domain/users/names.ts';
import { declaredError } from '../../../errors.ts';
import type { ErrorTable } from '../../../errors.ts';
import type { RunTransaction } from '../../../handler-context.ts';
import { emailErrors, emailTaken } from './errors.ts';
import { hashing } from './hashing.ts';

export const newAccountErrors = {
  ...emailErrors,
  PASSWORD_TOO_SHORT: { status: 400, message: 'The password must have at least 6 characters.' },
  ...emailTaken,
} as const satisfies ErrorTable;

export const personFields = {
  email: emailField(),
  password: newPasswordSchema,
  firstname: nameField(),
  lastname: nameField(),
};

interface NewAccountCall extends Pick<Context, 'config' | 'clock' | 'jobs'> {
  db: ReadDb;
  transaction: RunTransaction;
}

/** Creates the account and mails the link that verifies its address. `finish` is of the same transaction. */
export const newAccount = async <T>(
  call: NewAccountCall,
  { password, ...person }: Omit<NewAccount, 'passwordHash'> & { password: string },
  finish: (tx: Tx, userId: number) => Promise<T>,
): Promise<T> => {
  if (await userRepo(call.db).isRegistered(person.email))
    throw declaredError(newAccountErrors, 'EMAIL_ALREADY_REGISTERED');
  const passwordHash = await hashing(passwords.hash(password));
  return call.transaction(async (tx) => {
    const { userId } = await createAccount(tx, call, { ...person, passwordHash });
    await mailVerification(tx, call, { userId, ...person });
    return finish(tx, userId);
  });
};
