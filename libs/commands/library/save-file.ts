import { deleteFiles } from '#commands/storage/delete-files.ts';
import { DomainError } from '#domain/errors.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import { assertFits, assertRoomFor, assertSameKind } from '#domain/library/rules.ts';
import type { LibraryOwner } from '#domain/library/space.ts';
import type { FileStorage } from '#domain/ports.ts';
import type { Clock } from '#domain/time.ts';
import { libraryEntryRepo } from '#store/postgres/library/entries.ts';
import { libraryFileWrites } from '#store/postgres/library/files.ts';
import type { FileContent, StoredContent } from '#store/postgres/library/files.ts';
import { librarySpaceWrites } from '#store/postgres/library/spaces.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { lockSpace } from './lock-space.ts';
import type { OpenSpace } from './lock-space.ts';

export interface SavedFile {
  id: number;
  name: string;
  version: number;
  revision: number;
  isReplaced: boolean;
}

export interface FileToSave {
  owner: LibraryOwner;
  /** Null: without a limit. */
  quotaMb: number | null;
  content: FileContent;
  /** Of a replaced file, what is undefined remains. */
  name?: string | null | undefined;
  /** Name of a new file. */
  defaultName: string;
  folderId?: number | null | undefined;
  minProductLevel?: number | null | undefined;
  /** Replaces the content of this file. */
  fileId?: number | null | undefined;
  /** Replaces the content of the file with the same name in the same folder, if there is one. */
  isReplacing: boolean;
}

interface Dependencies {
  clock: Clock;
  jobs: JobProducer<Tx>;
  storage: Pick<FileStorage, 'delete'>;
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
 * Adds a file or link to a space, or replaces the content of one with the next version; its previous content is deleted
 * after the commit. Throws FILE_NOT_FOUND, FOLDER_NOT_FOUND, LIBRARY_FULL, STORAGE_NOT_INCLUDED, QUOTA_EXCEEDED,
 * INVALID_INPUT.
 */
export const saveFile = async (
  tx: Tx,
  { clock, jobs, storage }: Dependencies,
  file: FileToSave,
): Promise<SavedFile> => {
  const { owner, content, quotaMb } = file;
  const space = await lockSpace(tx, { clock }, { owner });
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
  if (oldKey !== null) await deleteFiles(tx, { jobs, storage }, { keys: [oldKey] });
  const { now } = space;
  const stamp = await space.stamp();
  if (before) {
    const replaced = await files.replace({ ...content, ...place, id: before.id }, now, stamp);
    return { id: before.id, name: place.name, ...replaced, isReplaced: true };
  }
  const created = await files.create({ ...content, ...place, spaceId: space.id }, now, stamp);
  return { ...created, name: place.name, version: 1, isReplaced: false };
};
