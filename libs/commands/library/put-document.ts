import { DomainError } from '#domain/errors.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import { maxFolderName, nameField } from '#domain/library/names.ts';
import type { LibraryOwner } from '#domain/library/space.ts';
import type { FileStorage } from '#domain/ports.ts';
import type { Clock } from '#domain/time.ts';
import { libraryEntryRepo } from '#store/postgres/library/entries.ts';
import type { FileContent } from '#store/postgres/library/files.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { deleteFile } from './files.ts';
import { createFolder } from './folders.ts';
import { saveFile } from './save-file.ts';
import type { SavedFile } from './save-file.ts';

export interface Document {
  owner: Exclude<LibraryOwner, { type: 'user' }>;
  /** Null: without a limit. */
  quotaMb: number | null;
  content: FileContent;
  name: string;
  /** Names of folders from the root; those that do not exist are created, with the level. */
  path: readonly string[];
  minProductLevel: number | undefined;
}

interface Dependencies {
  clock: Clock;
  jobs: JobProducer<Tx>;
  storage: Pick<FileStorage, 'delete'>;
}

const folderOf = async (
  tx: Tx,
  deps: Dependencies,
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
 * Publishes a document of the service or of an airline; one of the same name in the same folder is replaced. Throws the
 * errors of `saveFile`, and INVALID_NAME.
 */
export const putDocument = async (tx: Tx, deps: Dependencies, document: Document): Promise<SavedFile> => {
  const { owner, quotaMb, content, name, minProductLevel } = document;
  const folderId = await folderOf(tx, deps, document);
  const before = await libraryEntryRepo(tx).fileByName(owner, folderId, name);
  // Who may no longer see it must learn that it is gone: a tombstone, and a new file for the others.
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
