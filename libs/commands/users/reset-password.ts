/** Redeems a mailed link in two steps, so that the password is hashed between them, outside any transaction. */
import { DomainError } from '#domain/errors.ts';
import type { Clock } from '#domain/time.ts';
import { isResetToken } from '#domain/users/reset-mail.ts';
import { hashOfResetToken } from '#store/auth/reset-tokens.ts';
import { emailProofWrites } from '#store/postgres/users/email-proofs.ts';
import { passwordResetRepo, passwordResetWrites } from '#store/postgres/users/password-resets.ts';
import type { StoredReset } from '#store/postgres/users/password-resets.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import { setPassword } from './set-password.ts';
import type { SetPasswordDeps } from './set-password.ts';

/** The reset of a link's token. Throws INVALID_RESET_TOKEN (unknown or used) or RESET_TOKEN_EXPIRED. */
export const findReset = async (
  db: ReadDb,
  { clock }: { clock: Clock },
  token: string,
): Promise<StoredReset> => {
  const stored = isResetToken(token) ? await passwordResetRepo(db).byHash(hashOfResetToken(token)) : null;
  if (!stored || stored.isUsed) throw new DomainError('INVALID_RESET_TOKEN');
  if (stored.expiresAt <= clock.now()) throw new DomainError('RESET_TOKEN_EXPIRED');
  return stored;
};

/** Sets the new password, see `setPassword`, and verifies the address. Throws INVALID_RESET_TOKEN when the link has been used in the meantime. */
export const resetPassword = async (
  tx: Tx,
  deps: SetPasswordDeps,
  { reset, ...password }: { reset: StoredReset; passwordHash: string; renewsApiKey: boolean },
): Promise<void> => {
  if (!(await passwordResetWrites(tx).use(reset, deps.clock.now())))
    throw new DomainError('INVALID_RESET_TOKEN');
  // The link was mailed to the address of the account.
  await emailProofWrites(tx).verify(reset.userId, deps.clock.now());
  await setPassword(tx, deps, { userId: reset.userId, ...password, event: 'reset' });
};
