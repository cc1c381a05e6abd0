/** Deletes files that no row refers to any more. */
import type { Deps } from '#commands/deps.ts';
import { fileDelete } from '#domain/jobs/contracts.ts';
import type { Tx } from '#store/postgres/sql.ts';

const keysPerJob = 500;

/** Deletes files after the commit, by jobs of the same transaction, so that none survives if the process is killed. */
export const deleteFiles = async (
  tx: Tx,
  { jobs }: Deps<'jobs'>,
  { keys }: { keys: readonly string[] },
): Promise<void> => {
  for (let from = 0; from < keys.length; from += keysPerJob)
    await jobs.enqueue(tx, fileDelete, { keys: keys.slice(from, from + keysPerJob) });
};
