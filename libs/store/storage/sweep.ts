import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '#domain/errors.ts';
import { temporaryName } from '#platform/files/atomic-file.ts';

/** Null if it has been removed since it was listed, or filled again. */
const unlessChanged = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if (['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) return null;
    throw error;
  }
};

const isOlder = async (path: string, before: Date): Promise<boolean> => {
  const found = await unlessChanged(stat(path));
  return found !== null && found.mtimeMs < before.getTime();
};

/** Removes an old file with such a name; returns the number of removed files. */
const removeLeftover = async (path: string, before: Date, named = temporaryName): Promise<number> => {
  if (!named.test(path) || !(await isOlder(path, before))) return 0;
  await rm(path, { force: true });
  return 1;
};

/** Removes a folder that is old and empty; the removal of its last file has made it young again. */
const removeEmpty = async (path: string, before: Date): Promise<number> => {
  const isRemoved = (await isOlder(path, before)) && (await unlessChanged(rmdir(path).then(() => true)));
  return isRemoved ? 1 : 0;
};

const entriesOf = async (folder: string): Promise<Dirent[]> =>
  (await unlessChanged(readdir(folder, { withFileTypes: true }))) ?? [];

/** Everything below a folder, each folder after its contents. */
const walk = async function* walk(folder: string): AsyncGenerator<Dirent, undefined> {
  for (const entry of await entriesOf(folder)) {
    if (entry.isDirectory()) yield* walk(join(folder, entry.name));
    yield entry;
  }
};

/**
 * Removes temporary files and empty folders below `folder` that have not changed since `before`. A run looks at `limit`
 * entries and the next one continues after them; at the end it starts again.
 */
export const createFolderSweep = (folder: string, limit = 5_000) => {
  let entries = walk(folder);
  return async (before: Date): Promise<{ files: number; folders: number }> => {
    const swept = { files: 0, folders: 0 };
    for (let left = limit; left > 0; left -= 1) {
      const { value: entry } = await entries.next();
      if (!entry) {
        entries = walk(folder);
        break;
      }
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) swept.files += await removeLeftover(path, before);
      else if (entry.isDirectory()) swept.folders += await removeEmpty(path, before);
    }
    return swept;
  };
};

/** The same for the files of one folder with such a name, without those below it. */
export const sweepFiles = async (folder: string, before: Date, named = temporaryName): Promise<number> => {
  let removed = 0;
  for (const { name } of await entriesOf(folder))
    removed += await removeLeftover(join(folder, name), before, named);
  return removed;
};
