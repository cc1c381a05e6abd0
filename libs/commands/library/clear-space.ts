import { deleteFiles } from '#commands/storage/delete-files.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { LibraryOwner } from '#domain/library/space.ts';
import type { Clock } from '#domain/time.ts';
import { librarySpaceWrites } from '#store/postgres/library/spaces.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { lockSpace } from './lock-space.ts';

/** Deletes all folders and files of an owner; tombstones remain. */
export const clearSpace = async (
  tx: Tx,
  { clock, jobs }: { clock: Clock; jobs: JobProducer<Tx> },
  { owner }: { owner: LibraryOwner },
): Promise<void> => {
  const space = await lockSpace(tx, { clock }, { owner });
  const keys = await librarySpaceWrites(tx).clear(space.id, space.now, await space.stamp());
  await deleteFiles(tx, { jobs }, { keys });
};
