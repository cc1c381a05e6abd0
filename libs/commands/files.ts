/** Deletes files that no row refers to any more. */
import { fileDelete } from '#domain/jobs/contracts.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { FileStorage } from '#domain/ports.ts';
import type { Tx } from '#store/postgres/sql.ts';

const keysPerJob = 500;
/** Few enough that the answer need not wait. */
const keysAtOnce = 20;

/**
 * Deletes files that no row refers to after the commit: by jobs in the same transaction, so that none survives if the
 * process is killed, and the first ones right after the commit if a `storage` is given.
 */
export const deleteFiles = async (
  tx: Tx,
  { jobs, storage }: { jobs: JobProducer<Tx>; storage?: Pick<FileStorage, 'delete'> },
  { keys }: { keys: readonly string[] },
): Promise<void> => {
  for (let from = 0; from < keys.length; from += keysPerJob)
    await jobs.enqueue(tx, fileDelete, { keys: keys.slice(from, from + keysPerJob) });
  if (storage) tx.onCommit(() => Promise.all(keys.slice(0, keysAtOnce).map((key) => storage.delete(key))));
};
