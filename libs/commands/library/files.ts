import { deleteFiles } from '#commands/storage/delete-files.ts';
import { DomainError } from '#domain/errors.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { LibraryOwner } from '#domain/library/space.ts';
import type { FileStorage } from '#domain/ports.ts';
import type { Clock } from '#domain/time.ts';
import { libraryEntryRepo } from '#store/postgres/library/entries.ts';
import { libraryFileWrites } from '#store/postgres/library/files.ts';
import { librarySpaceWrites } from '#store/postgres/library/spaces.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { lockSpace } from './lock-space.ts';

interface FileOf {
  owner: LibraryOwner;
  fileId: number;
}

/** The revision. Throws FILE_NOT_FOUND. */
export const renameFile = async (
  tx: Tx,
  deps: { clock: Clock },
  { owner, fileId, name }: FileOf & { name: string },
): Promise<number> => {
  const space = await lockSpace(tx, deps, { owner });
  const stamp = await space.stamp();
  const renamed = await libraryFileWrites(tx).rename(fileId, space.id, name, space.now, stamp);
  if (!renamed) throw new DomainError('FILE_NOT_FOUND');
  return renamed.revision;
};

/** Into another folder, null for the root; the revision. Throws FILE_NOT_FOUND, FOLDER_NOT_FOUND. */
export const moveFile = async (
  tx: Tx,
  deps: { clock: Clock },
  { owner, fileId, folderId }: FileOf & { folderId: number | null },
): Promise<number> => {
  const space = await lockSpace(tx, deps, { owner });
  const files = libraryFileWrites(tx);
  if (!(await files.find(fileId, space.id))) throw new DomainError('FILE_NOT_FOUND');
  if (folderId !== null && !(await libraryEntryRepo(tx).isFolderPresent(folderId)))
    throw new DomainError('FOLDER_NOT_FOUND');
  return (await files.move(fileId, folderId, space.now, await space.stamp())).revision;
};

/** For good: the bytes go, a tombstone remains for incremental syncs. Throws FILE_NOT_FOUND. */
export const deleteFile = async (
  tx: Tx,
  { clock, jobs, storage }: { clock: Clock; jobs: JobProducer<Tx>; storage: Pick<FileStorage, 'delete'> },
  { owner, fileId }: FileOf,
): Promise<void> => {
  const space = await lockSpace(tx, { clock }, { owner });
  const files = libraryFileWrites(tx);
  const file = await files.find(fileId, space.id);
  if (!file) throw new DomainError('FILE_NOT_FOUND');
  if (file.fileSize > 0) await librarySpaceWrites(tx).addBytes(space.id, -file.fileSize);
  if (file.storageKey !== null) await deleteFiles(tx, { jobs, storage }, { keys: [file.storageKey] });
  await files.delete(fileId, space.now, await space.stamp());
};
