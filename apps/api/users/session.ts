import { z } from 'zod';
import { userObjectSchema } from '#domain/users/user-object.ts';
import type { Tools } from '../define.ts';
import { loadUser } from './user.ts';
import type { UserCall } from './user.ts';

/** Answer of register and login. */
export const sessionSchema = z.strictObject({
  token: z.string(),
  /** ISO 8601. */
  expires: z.iso.datetime(),
  /** Seconds. */
  expiresIn: z.int(),
  user: userObjectSchema,
});

/** A new token for this user and the developer key of the call, with the user object. */
export const openSession = async (
  call: UserCall & Pick<Tools, 'identities' | 'tokens'>,
  userId: number,
  generation?: number,
): Promise<z.output<typeof sessionSchema>> => {
  const caller = await call.identities.byUserId(userId);
  if (!caller) throw new Error(`user ${userId} was deleted during login`);
  const issued = await call.tokens.issue({
    userId,
    developerKeyId: call.key?.id ?? null,
    generation: generation ?? caller.tokenGeneration,
  });
  return {
    token: issued.token,
    expires: issued.expiresAt.toISOString(),
    expiresIn: issued.expiresInSeconds,
    user: (await loadUser(call, caller)).build(),
  };
};
