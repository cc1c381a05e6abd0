import { deleteFiles } from '#commands/storage/delete-files.ts';
import { DomainError } from '#domain/errors.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import { assertRoomFor } from '#domain/library/rules.ts';
import type { LibraryOwner } from '#domain/library/space.ts';
import type { FileStorage } from '#domain/ports.ts';
import type { Clock } from '#domain/time.ts';
import { libraryEntryRepo } from '#store/postgres/library/entries.ts';
import { libraryFolderWrites } from '#store/postgres/library/folders.ts';
import { librarySpaceWrites } from '#store/postgres/library/spaces.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { lockSpace } from './lock-space.ts';

/** The new folder. Throws FOLDER_NOT_FOUND for the parent, LIBRARY_FULL. */
export const createFolder = async (
  tx: Tx,
  deps: { clock: Clock },
  folder: { owner: LibraryOwner; parentId: number | null; name: string; minProductLevel: number },
): Promise<{ id: number; revision: number }> => {
  const space = await lockSpace(tx, deps, folder);
  const entries = libraryEntryRepo(tx);
  if (folder.parentId !== null && !(await entries.isFolderPresent(folder.parentId)))
    throw new DomainError('FOLDER_NOT_FOUND');
  assertRoomFor('folders', await entries.folders(space.id));
  const isLimited = folder.owner.type !== 'user';
  const stamp = await space.stamp();
  return libraryFolderWrites(tx).create({ ...folder, spaceId: space.id, isLimited }, space.now, stamp);
};

/** The revision. Throws FOLDER_NOT_FOUND. */
export const renameFolder = async (
  tx: Tx,
  deps: { clock: Clock },
  { owner, folderId, name }: { owner: LibraryOwner; folderId: number; name: string },
): Promise<number> => {
  const space = await lockSpace(tx, deps, { owner });
  const stamp = await space.stamp();
  const renamed = await libraryFolderWrites(tx).rename(folderId, space.id, name, space.now, stamp);
  if (!renamed) throw new DomainError('FOLDER_NOT_FOUND');
  return renamed.revision;
};

/** Deletes a folder with everything in it; the ids of all deleted folders. Throws FOLDER_NOT_FOUND. */
export const deleteFolder = async (
  tx: Tx,
  { clock, jobs, storage }: { clock: Clock; jobs: JobProducer<Tx>; storage: Pick<FileStorage, 'delete'> },
  { owner, folderId }: { owner: LibraryOwner; folderId: number },
): Promise<number[]> => {
  const space = await lockSpace(tx, { clock }, { owner });
  const stamp = await space.stamp();
  const deleted = await libraryFolderWrites(tx).deleteTree(folderId, space.id, space.now, stamp);
  if (deleted.folderIds.length === 0) throw new DomainError('FOLDER_NOT_FOUND');
  if (deleted.freedBytes > 0) await librarySpaceWrites(tx).addBytes(space.id, -deleted.freedBytes);
  await deleteFiles(tx, { jobs, storage }, { keys: deleted.keys });
  return deleted.folderIds;
};
