import { DomainError } from '#domain/errors.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { Clock } from '#domain/time.ts';
import type { Tx } from '#data/postgres/sql.ts';
import { deleteFiles } from '#commands/storage/delete-files.ts';
import { accountDeletionWrites } from '#data/postgres/users/personal-data.ts';

/**
 * Deletes an account with everything that it owns; payments remain, without the person. Its files are
 * deleted by jobs of the same transaction, so that no file outlives a process that is killed. Throws USER_NOT_FOUND.
 */
export const deleteAccount = async (
  tx: Tx,
  { clock, jobs }: { clock: Clock; jobs: JobProducer<Tx> },
  { userId }: { userId: number },
): Promise<void> => {
  const deletion = accountDeletionWrites(tx);
  const user = await deletion.lock(userId);
  if (!user) throw new DomainError('USER_NOT_FOUND', {}, `There is no user ${userId}.`);
  await deletion.delete(userId, user.email, clock.now());
  await deleteFiles(tx, { jobs }, { keys: user.files });
};
