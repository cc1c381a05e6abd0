import { passwords } from '#data/auth/passwords.ts';
import type { Context } from '#data/context.ts';
import { findReset, resetPassword } from '#commands/users/reset-password.ts';
import type { Services } from '../services/services.ts';
import { hashing } from './hashing.ts';

/**
 * Uses a link: new password, every token and other link of the user is revoked. Returns where to go next, if that
 * was asked for. Throws INVALID_RESET_TOKEN (unknown or used) or RESET_TOKEN_EXPIRED.
 */
export const useResetToken = async (
  { context, services }: { context: Context; services: Services },
  token: string,
  password: string,
): Promise<string | null> => {
  const { postgres } = context;
  const reset = await findReset(postgres.db, context, token);
  const passwordHash = await hashing(passwords.hash(password));
  await postgres.transaction((tx) => resetPassword(tx, context, { reset, passwordHash }));
  services.identities.forget();
  return reset.returnUrl;
};
