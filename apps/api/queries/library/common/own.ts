/** The entries that a call names, as its user sees them. */
import { libraryEntryRepo } from '#data/postgres/library/entries.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import type { LibraryFile, LibraryFolder } from '#domain/library/objects.ts';
import { assertOwn, assertTakesFiles, foundFile, foundFolder } from '#domain/library/rules.ts';
import { viewOf } from '#domain/library/space.ts';
import type { LibraryOwner } from '#domain/library/space.ts';
import type { Caller } from '#domain/users/types.ts';

interface LibraryCall {
  db: ReadDb;
  caller: Caller;
}

export const ownerOf = ({ userId }: Caller): LibraryOwner => ({ type: 'user', userId });

/** Throws FOLDER_NOT_FOUND for one that the user does not see, READ_ONLY for one of others. */
export const ownFolder = async ({ db, caller }: LibraryCall, id: number): Promise<LibraryFolder> => {
  const folder = foundFolder(await libraryEntryRepo(db).folder(id, caller.userId, viewOf(caller)));
  assertOwn(folder);
  return folder;
};

/** Throws FILE_NOT_FOUND for one that the user does not see, READ_ONLY for one of others. */
export const ownFile = async ({ db, caller }: LibraryCall, id: number): Promise<LibraryFile> => {
  const file = foundFile(await libraryEntryRepo(db).file(id, caller.userId, viewOf(caller)));
  assertOwn(file);
  return file;
};

/** Throws FOLDER_NOT_FOUND, or READ_ONLY for a folder in which the user may not put files. */
export const assertFolderForFiles = async (
  { db, caller }: LibraryCall,
  id: number | null | undefined,
): Promise<void> => {
  if (id === null || id === undefined) return;
  assertTakesFiles(foundFolder(await libraryEntryRepo(db).folder(id, caller.userId, viewOf(caller))));
};
