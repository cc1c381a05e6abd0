import { DomainError } from '#domain/errors.ts';
import { fileDelete } from '#domain/jobs/file-delete.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { Clock } from '#domain/time.ts';
import type { Tx } from '#data/postgres/sql.ts';
import { accountDeletionWrites } from '#data/postgres/users/personal-data.ts';

const filesPerJob = 500;

/**
 * Deletes an account with everything that it owns; payments remain, without the person. Its drawings and pictures are
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
  for (let from = 0; from < user.files.length; from += filesPerJob)
    await jobs.enqueue(tx, fileDelete, { keys: user.files.slice(from, from + filesPerJob) });
};
