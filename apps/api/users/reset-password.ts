import { DomainError } from '#domain/errors.ts';
import { isResetToken } from '#domain/users/reset-mail.ts';
import { passwords } from '#data/auth/passwords.ts';
import { hashOfResetToken } from '#data/auth/reset-tokens.ts';
import type { Context } from '#data/context.ts';
import { passwordResetRepo, passwordResetSteps } from '#data/postgres/users/password-resets.ts';
import { setPassword } from '#data/postgres/users/users.ts';
import type { Services } from '../services/services.ts';
import { hashing } from './hashing.ts';

/**
 * Uses a link: new password, every token and other link of the user dies. Returns where to go next, if that was
 * asked for. Throws INVALID_RESET_TOKEN (unknown or used) or RESET_TOKEN_EXPIRED.
 */
export const useResetToken = async (
  { context, services }: { context: Context; services: Services },
  token: string,
  password: string,
): Promise<string | null> => {
  const { postgres, clock } = context;
  const stored = isResetToken(token)
    ? await passwordResetRepo(postgres.db).byHash(hashOfResetToken(token))
    : null;
  if (!stored || stored.isUsed) throw new DomainError('INVALID_RESET_TOKEN');
  if (stored.expiresAt <= clock.now()) throw new DomainError('RESET_TOKEN_EXPIRED');
  const passwordHash = await hashing(passwords.hash(password));
  await postgres.transaction(async (tx) => {
    if (!(await passwordResetSteps(tx).use(stored, clock.now())))
      throw new DomainError('INVALID_RESET_TOKEN');
    await setPassword(tx, stored.userId, passwordHash);
    tx.onCommit(() => services.identities.forget());
  });
  return stored.returnUrl;
};
