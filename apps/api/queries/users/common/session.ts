import { z } from 'zod';
import { addSeconds } from '#domain/time.ts';
import type { Caller } from '#domain/users/types.ts';
import { activitySince, userObject, userObjectSchema } from '#domain/users/user-object.ts';
import type { UserObject } from '#domain/users/user-object.ts';
import { loginSeconds } from '#store/auth/tokens.ts';
import type { IssuedToken } from '#store/auth/tokens.ts';
import { activityRepo } from '#store/postgres/users/activity.ts';
import { identityRepo } from '#store/postgres/users/identities.ts';
import { userProfileRepo } from '#store/postgres/users/profiles.ts';
import { sessionWrites, userWrites } from '#store/postgres/users/users.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { createAccount } from '#commands/users/accounts.ts';
import type { NewAccount } from '#commands/users/accounts.ts';
import { mailVerification } from '#commands/users/email.ts';
import { passwords } from '#store/auth/passwords.ts';
import { emailField } from '#domain/fields/index.ts';
import { newPasswordSchema } from '#domain/users/fields.ts';
import { nameField } from '#domain/users/names.ts';
import type { Needs } from '../../../handler-context.ts';
import { emailErrors, emailTaken } from './users.ts';
import { declaredError } from '../../../errors.ts';
import type { ErrorTable } from '../../../errors.ts';

type UserCall = Needs<'config' | 'db' | 'key' | 'now'>;

const airlineIds = ({ vaIds, vaAdmin }: Caller): number[] => [
  ...new Set([...vaIds, ...(vaAdmin?.vaId ? [vaAdmin.vaId] : [])]),
];

/** The user object, limited to what the call's key may see (G-18). */
export const loadUser = async (call: UserCall, caller: Caller): Promise<UserObject> => {
  const { config, db, key, now } = call;
  const { userId } = caller;
  const found = await userProfileRepo(db).withAirlines(userId, airlineIds(caller));
  if (!found) throw new Error(`user ${userId} was deleted during the call`);
  const { airlines, ...profile } = found;
  const level = key?.userInfo ?? null;
  // Shown at the highest level only.
  const activity =
    level === 'FULL' ? await activityRepo(db).since(userId, activitySince(profile), now) : null;
  return userObject({ caller, profile, airlines, activity, level, baseUrl: config.BASE_URL, now });
};

/** A token with its expiry. */
export const tokenSchema = z.strictObject({
  token: z.string(),
  /** ISO 8601. */
  expires: z.iso.datetime(),
  /** Seconds. */
  expiresIn: z.int(),
});

/** Answer of register and login. */
export const sessionSchema = tokenSchema.extend({ user: userObjectSchema });

export const tokenView = ({
  token,
  expiresAt,
  expiresInSeconds,
}: IssuedToken): z.output<typeof tokenSchema> => ({
  token,
  expires: expiresAt.toISOString(),
  expiresIn: expiresInSeconds,
});

/** Opens a session of this user with an app. Returns its id. */
export const openSession = (
  tx: Tx,
  { now }: Needs<'now'>,
  app: { userId: number; developerKeyId: number | null },
): Promise<number> =>
  sessionWrites(tx).open({
    ...app,
    createdAt: now,
    expiresAt: addSeconds(now, loginSeconds),
  });

/**
 * A session for a user whose credentials were verified at this generation; null if they have been revoked meanwhile.
 */
export const logIn = async (
  tx: Tx,
  call: Needs<'now'>,
  { generation, ...app }: { userId: number; developerKeyId: number | null; generation: number },
): Promise<number | null> => {
  const users = userWrites(tx);
  if (!(await users.holdGeneration(app.userId, generation))) return null;
  await users.markLogin(app.userId, call.now);
  return openSession(tx, call, app);
};

/** A token for a new session, with the user object. */
export const signedIn = async (
  call: UserCall & Needs<'identities' | 'tokens' | 'noteAccount'>,
  { userId, session, generation }: { userId: number; session: number; generation?: number },
): Promise<z.output<typeof sessionSchema>> => {
  const caller = await call.identities.byUserId(userId);
  if (!caller) throw new Error(`user ${userId} was deleted during login`);
  const issued = await call.tokens.issue({
    userId,
    session,
    developerKeyId: call.key?.id ?? null,
    generation: generation ?? caller.tokenGeneration,
  });
  call.noteAccount(userId);
  return { ...tokenView(issued), user: await loadUser(call, caller) };
};

// Creates an account, for the query register and the page.

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

/** Creates the account and mails a link that verifies its address. `finish` runs in the same transaction. */
export const newAccount = async <T>(
  call: Needs<'db' | 'transaction' | 'config' | 'clock' | 'jobs'>,
  { password, ...person }: Omit<NewAccount, 'passwordHash'> & { password: string },
  finish: (tx: Tx, userId: number) => Promise<T>,
): Promise<T> => {
  if ((await identityRepo(call.db).idByEmail(person.email)) !== null)
    throw declaredError(newAccountErrors, 'EMAIL_ALREADY_REGISTERED');
  const passwordHash = await passwords.hash(password);
  return call.transaction(async (tx) => {
    const { userId } = await createAccount(tx, call, { ...person, passwordHash });
    await mailVerification(tx, call, { userId, ...person });
    return finish(tx, userId);
  });
};
