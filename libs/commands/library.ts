import type { Deps } from '#commands/deps.ts';
import { DomainError } from '#domain/errors.ts';
import { maxFolderName, nameField } from '#domain/library/names.ts';
import { assertFits, assertRoomFor, assertSameKind } from '#domain/library/rules.ts';
import type { LibraryOwner } from '#domain/library/space.ts';
import { libraryEntryRepo } from '#store/postgres/library/entries.ts';
import { libraryFileWrites } from '#store/postgres/library/files.ts';
import type { FileContent, StoredContent } from '#store/postgres/library/files.ts';
import { libraryFolderWrites } from '#store/postgres/library/folders.ts';
import { librarySpaceWrites } from '#store/postgres/library/spaces.ts';
import type { LockedSpace } from '#store/postgres/library/spaces.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { deleteFiles } from './files.ts';

export interface OpenSpace extends LockedSpace {
  now: Date;
  /** Timestamp of the change; taken after all steps that may wait or fail. */
  stamp: () => Promise<string>;
}

/** Locks an owner's folders and files until the commit. Throws NOT_FOUND. */
export const lockSpace = async (
  tx: Tx,
  { clock }: Deps<'clock'>,
  { owner }: { owner: LibraryOwner },
): Promise<OpenSpace> => {
  const spaces = librarySpaceWrites(tx);
  const space = await spaces.lock(owner);
  if (!space) throw new DomainError('NOT_FOUND', {}, 'The virtual airline has been deleted.');
  const now = clock.now();
  return { ...space, now, stamp: () => spaces.tick(now) };
};

/** Creates a folder. Throws FOLDER_NOT_FOUND for the parent, LIBRARY_FULL. */
export const createFolder = async (
  tx: Tx,
  deps: Deps<'clock'>,
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

/** Deletes a file permanently, leaving a tombstone for incremental syncs. Throws FILE_NOT_FOUND. */
export const deleteFile = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { owner, fileId }: { owner: LibraryOwner; fileId: number },
): Promise<void> => {
  const space = await lockSpace(tx, deps, { owner });
  const files = libraryFileWrites(tx);
  const file = await files.find(fileId, space.id);
  if (!file) throw new DomainError('FILE_NOT_FOUND');
  if (file.fileSize > 0) await librarySpaceWrites(tx).addBytes(space.id, -file.fileSize);
  if (file.storageKey !== null) await deleteFiles(tx, deps, { keys: [file.storageKey] });
  await files.delete(fileId, space.now, await space.stamp());
};

export interface SavedFile {
  id: number;
  name: string;
  version: number;
  revision: number;
  isReplaced: boolean;
}

interface FileToSave {
  owner: LibraryOwner;
  /** Null: unlimited. */
  quotaMb: number | null;
  content: FileContent;
  /** Undefined keeps the value of a replaced file. */
  name?: string | null | undefined;
  /** Name of a new file. */
  defaultName: string;
  folderId?: number | null | undefined;
  minProductLevel?: number | null | undefined;
  /** The file whose content to replace. */
  fileId?: number | null | undefined;
  /** Replaces the content of a file with the same name in the same folder, if there is one. */
  isReplacing: boolean;
}

const replacedFile = async (tx: Tx, space: OpenSpace, file: FileToSave): Promise<StoredContent | null> => {
  const { fileId = null } = file;
  if (fileId === null && !file.isReplacing) return null;
  const sameName = async () =>
    (await libraryEntryRepo(tx).fileByName(file.owner, file.folderId ?? null, file.name ?? file.defaultName))
      ?.id;
  const id = fileId ?? (await sameName());
  const found = id === undefined ? null : await libraryFileWrites(tx).find(id, space.id);
  if (!found && fileId !== null) throw new DomainError('FILE_NOT_FOUND');
  if (found) assertSameKind(found.type, file.content.type);
  return found;
};

/**
 * Adds a file or link to a space, or replaces a file's content with the next version; the previous content is deleted
 * after the commit. Throws FILE_NOT_FOUND, FOLDER_NOT_FOUND, LIBRARY_FULL, STORAGE_NOT_INCLUDED, QUOTA_EXCEEDED,
 * INVALID_INPUT.
 */
export const saveFile = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  file: FileToSave,
): Promise<SavedFile> => {
  const { owner, content, quotaMb } = file;
  const space = await lockSpace(tx, deps, { owner });
  const files = libraryFileWrites(tx);
  const before = await replacedFile(tx, space, file);
  const place = {
    name: file.name ?? before?.name ?? file.defaultName,
    folderId: file.folderId === undefined ? (before?.folderId ?? null) : file.folderId,
    minProductLevel: file.minProductLevel ?? before?.minProductLevel ?? 0,
    isLimited: owner.type !== 'user',
  };
  const entries = libraryEntryRepo(tx);
  if (place.folderId !== null && !(await entries.isFolderPresent(place.folderId)))
    throw new DomainError('FOLDER_NOT_FOUND');
  if (!before) assertRoomFor('files', await entries.files(space.id));
  const replacedBytes = before?.fileSize ?? 0;
  assertFits({ usedBytes: space.usedBytes, quotaMb }, content.fileSize, replacedBytes);

  const added = content.fileSize - replacedBytes;
  if (added !== 0) await librarySpaceWrites(tx).addBytes(space.id, added);
  const oldKey = before?.storageKey ?? null;
  if (oldKey !== null) await deleteFiles(tx, deps, { keys: [oldKey] });
  const { now } = space;
  const stamp = await space.stamp();
  if (before) {
    const replaced = await files.replace({ ...content, ...place, id: before.id }, now, stamp);
    return { id: before.id, name: place.name, ...replaced, isReplaced: true };
  }
  const created = await files.create({ ...content, ...place, spaceId: space.id }, now, stamp);
  return { ...created, name: place.name, version: 1, isReplaced: false };
};

interface Document {
  owner: Exclude<LibraryOwner, { type: 'user' }>;
  /** Null: unlimited. */
  quotaMb: number | null;
  content: FileContent;
  name: string;
  /** Folder names from the root; missing folders are created with this level. */
  path: readonly string[];
  minProductLevel: number | undefined;
}

const folderOf = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { owner, path, minProductLevel = 0 }: Document,
): Promise<number | null> => {
  let parentId: number | null = null;
  for (const part of path) {
    const { data: name } = nameField(maxFolderName).safeParse(part);
    if (name === undefined)
      throw new DomainError('INVALID_NAME', {}, `"${part}" cannot be the name of a folder.`);
    const known = await libraryEntryRepo(tx).folderByName(owner, parentId, name);
    parentId = known?.id ?? (await createFolder(tx, deps, { owner, parentId, name, minProductLevel })).id;
  }
  return parentId;
};

/**
 * Publishes a document of the service or an airline, replacing one with the same name in the same folder. Throws the
 * errors of `saveFile`, and INVALID_NAME.
 */
export const putDocument = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  document: Document,
): Promise<SavedFile> => {
  const { owner, quotaMb, content, name, minProductLevel } = document;
  const folderId = await folderOf(tx, deps, document);
  const before = await libraryEntryRepo(tx).fileByName(owner, folderId, name);
  // For users who may no longer see it, it must appear deleted: a tombstone, and a new file for the others.
  if (before && (minProductLevel ?? 0) > before.minProductLevel)
    await deleteFile(tx, deps, { owner, fileId: before.id });
  return saveFile(tx, deps, {
    owner,
    quotaMb,
    content,
    name,
    defaultName: name,
    folderId,
    minProductLevel,
    isReplacing: true,
  });
};

/** Deletes an owner's folders and files, leaving tombstones. */
export const clearSpace = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { owner }: { owner: LibraryOwner },
): Promise<void> => {
  const space = await lockSpace(tx, deps, { owner });
  const keys = await librarySpaceWrites(tx).clear(space.id, space.now, await space.stamp());
  await deleteFiles(tx, deps, { keys });
};
