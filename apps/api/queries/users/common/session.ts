import { z } from 'zod';
import { addSeconds } from '#domain/time.ts';
import { userObjectSchema } from '#domain/users/user-object.ts';
import { loginSeconds } from '#data/auth/tokens.ts';
import type { IssuedToken } from '#data/auth/tokens.ts';
import { sessionWrites } from '#data/postgres/users/sessions.ts';
import { userWrites } from '#data/postgres/users/users.ts';
import type { Tx } from '#data/postgres/sql.ts';
import type { AnyContext, Tools } from '../../../handler-context.ts';
import { loadUser } from './user.ts';
import type { UserCall } from './user.ts';

/** A token with its end. */
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

/** Begins a session of this user with an app. Returns its id. */
export const openSession = (
  tx: Tx,
  { now }: Pick<UserCall, 'now'>,
  app: { userId: number; developerKeyId: number | null },
): Promise<number> =>
  sessionWrites(tx).open({
    ...app,
    createdAt: now,
    expiresAt: addSeconds(now, loginSeconds),
  });

/** A session of a user who was proved at this generation; null when what was proved has ended in the meantime. */
export const logIn = async (
  tx: Tx,
  call: Pick<UserCall, 'config' | 'now'>,
  { generation, ...app }: { userId: number; developerKeyId: number | null; generation: number },
): Promise<number | null> => {
  const users = userWrites(tx);
  if (!(await users.holdGeneration(app.userId, generation))) return null;
  await users.markLogin(app.userId, call.now);
  return openSession(tx, call, app);
};

/** A token of a new session, with the user object. */
export const signedIn = async (
  call: UserCall & Pick<Tools, 'identities' | 'tokens'> & Pick<AnyContext, 'noteAccount'>,
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
