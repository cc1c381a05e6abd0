import type { FileStorage } from '#domain/ports.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { fileWriteWrites } from '#store/postgres/storage/file-writes.ts';

/** Few enough that the transaction is short on a slow store. */
const perSweep = 50;

/** Deletes files of writes that began before that time and never ended; returns how many there were, 50 at most. */
export const sweepLostFiles = async (
  tx: Tx,
  { storage }: { storage: Pick<FileStorage, 'delete'> },
  { before }: { before: Date },
): Promise<number> => {
  const keys = await fileWriteWrites(tx).takeLost(before, perSweep);
  // Before the commit: a file that cannot be deleted now is tried again.
  await Promise.all(keys.map((key) => storage.delete(key)));
  return keys.length;
};
