/** The entries that a call names, as its user sees them. */
import { libraryEntryRepo } from '#data/postgres/library/entries.ts';
import { lockSpace } from '#commands/library/lock-space.ts';
import type { DownloadLinks } from '#data/auth/download-links.ts';
import type { ReadDb, Tx } from '#data/postgres/sql.ts';
import { DomainError } from '#domain/errors.ts';
import { assertExpected } from '#domain/fields/revision.ts';
import { fileObject, folderObject } from '#domain/library/objects.ts';
import type { LibraryFile, LibraryFolder } from '#domain/library/objects.ts';
import { assertOwn, assertTakesFiles, foundFile, foundFolder } from '#domain/library/rules.ts';
import { viewOf } from '#domain/library/space.ts';
import type { LibraryOwner } from '#domain/library/space.ts';
import type { Clock } from '#domain/time.ts';
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

interface LibraryChange {
  db: Tx;
  caller: Caller;
  clock: Clock;
  downloadLinks: DownloadLinks;
}

/** An own entry that stays as the caller has seen it until the commit. Throws also VERSION_CONFLICT with `current`. */
export const folderToChange = async (
  { db, caller, clock }: Omit<LibraryChange, 'downloadLinks'>,
  id: number,
  expectedVersion: number | undefined,
): Promise<void> => {
  if (expectedVersion !== undefined) await lockSpace(db, { clock }, { owner: ownerOf(caller) });
  const found = await ownFolder({ db, caller }, id);
  assertExpected(expectedVersion, found, (folder) => folderObject(folder, false));
};

/** Nothing can be put into it before the commit. Throws FOLDER_NOT_EMPTY. */
export const assertEmpty = async (
  { db, caller, clock }: Omit<LibraryChange, 'downloadLinks'>,
  id: number,
): Promise<void> => {
  await lockSpace(db, { clock }, { owner: ownerOf(caller) });
  if (!(await libraryEntryRepo(db).isFolderEmpty(id))) throw new DomainError('FOLDER_NOT_EMPTY');
};

/** The same for a file or link. */
export const fileToChange = async (
  call: LibraryChange,
  id: number,
  expectedVersion: number | undefined,
): Promise<void> => {
  await assertFileExpected(call, expectedVersion, () => ownFile(call, id));
  if (expectedVersion === undefined) await ownFile(call, id);
};

/** The same for a file that may not exist. Nothing is read without `expectedVersion`. */
export const assertFileExpected = async (
  { db, caller, clock, downloadLinks }: LibraryChange,
  expectedVersion: number | undefined,
  find: () => Promise<LibraryFile | null>,
): Promise<void> => {
  if (expectedVersion === undefined) return;
  await lockSpace(db, { clock }, { owner: ownerOf(caller) });
  assertExpected(expectedVersion, await find(), (file) => fileObject(file, downloadLinks.to(caller)));
};
