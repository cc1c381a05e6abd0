import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '#domain/errors.ts';
import { temporaryName } from '#platform/files/atomic-file.ts';

interface FolderSweep {
  /** Temporary files that a killed process left behind, and empty folders. */
  files: number;
  folders: number;
}

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

/**
 * Removes temporary files and empty folders below `folder` that have not changed since `before`. A run looks at `limit`
 * entries and the next one continues after them; at the end it starts again.
 */
export const createFolderSweep = (
  folder: string,
  limit = 5_000,
): ((before: Date) => Promise<FolderSweep>) => {
  /** Path of the last entry of the previous run, as its parts. */
  let resume: string[] = [];

  return async (before) => {
    const swept: FolderSweep = { files: 0, folders: 0 };
    let left = limit;
    let last: string[] = [];

    const visit = async (parts: readonly string[], after: readonly string[]): Promise<void> => {
      const path = join(folder, ...parts);
      const listed = (await unlessChanged(readdir(path, { withFileTypes: true }))) ?? [];
      const [first = ''] = after;
      const entries = listed
        .filter(({ name }) => name >= first)
        .toSorted((a, b) => (a.name < b.name ? -1 : 1));
      for (const entry of entries) {
        if (left === 0) return;
        left -= 1;
        const own = [...parts, entry.name];
        const child = join(path, entry.name);
        last = own;
        if (entry.isDirectory()) {
          const wasOld = await isOlder(child, before);
          await visit(own, entry.name === first ? after.slice(1) : []);
          // The removal of its last file renews the folder's time: a later run removes it.
          if (
            wasOld &&
            (await isOlder(child, before)) &&
            (await unlessChanged(rmdir(child).then(() => true)))
          )
            swept.folders += 1;
        } else if (entry.isFile() && temporaryName.test(entry.name) && (await isOlder(child, before))) {
          await rm(child, { force: true });
          swept.files += 1;
        }
      }
    };

    await visit([], resume);
    resume = left === 0 ? last : [];
    return swept;
  };
};

/** The same for the files of one folder, without those below it. */
export const sweepFiles = async (folder: string, before: Date): Promise<number> => {
  let removed = 0;
  for (const name of (await unlessChanged(readdir(folder))) ?? []) {
    const path = join(folder, name);
    if (!temporaryName.test(name) || !(await isOlder(path, before))) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
};
