import { DomainError } from '#domain/errors.ts';
import type { Clock } from '#domain/time.ts';
import type { Tx } from '#data/postgres/sql.ts';
import { accountDeletionWrites } from '#data/postgres/users/personal-data.ts';

/**
 * Deletes an account with everything that it owns; payments remain, without the person. Returns the storage keys of its
 * drawings and pictures, to be deleted after the commit. Throws USER_NOT_FOUND.
 */
export const deleteAccount = async (
  tx: Tx,
  { clock }: { clock: Clock },
  { userId }: { userId: number },
): Promise<string[]> => {
  const deletion = accountDeletionWrites(tx);
  const user = await deletion.lock(userId);
  if (!user) throw new DomainError('USER_NOT_FOUND', {}, `There is no user ${userId}.`);
  await deletion.delete(userId, user.email, clock.now());
  return user.files;
};
