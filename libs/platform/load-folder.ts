import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface LoadedFile {
  path: string;
  /** Without `.ts`. */
  name: string;
  module: { readonly default?: unknown };
}

/** All modules in a folder and its subfolders by path, except tests and `common` folders. */
export const loadFolder = async (folder: string): Promise<LoadedFile[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .filter((entry) => basename(entry.parentPath) !== 'common')
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return Promise.all(
    paths.map(async (path) => ({
      path,
      name: basename(path, '.ts'),
      module: (await import(pathToFileURL(path).href)) as LoadedFile['module'],
    })),
  );
};
