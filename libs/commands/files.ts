/** Files of the store that no row refers to any more. */
import type { Deps } from '#commands/deps.ts';
import { fileDelete } from '#domain/jobs/file-delete.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { FileStorage } from '#domain/ports.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { fileWriteWrites } from '#store/postgres/storage/file-writes.ts';

const keysPerJob = 500;
/** So few that the answer need not wait. */
const keysAtOnce = 20;

/**
 * Deletes stored files that no row refers to after the commit: by jobs of the transaction, so that no file outlives a
 * process that is killed, and the first ones right after the commit if a `storage` is given.
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

/** Few enough that the transaction is short on a slow store. */
const perSweep = 50;

/** Deletes files of writes that began before that time and never ended; returns how many there were, 50 at most. */
export const sweepLostFiles = async (
  tx: Tx,
  { storage }: Deps<'storage'>,
  { before }: { before: Date },
): Promise<number> => {
  const keys = await fileWriteWrites(tx).takeLost(before, perSweep);
  // Before the commit: a file that cannot be deleted now is tried again.
  await Promise.all(keys.map((key) => storage.delete(key)));
  return keys.length;
};
