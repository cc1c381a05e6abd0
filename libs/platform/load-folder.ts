import { glob } from 'node:fs/promises';
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
  const found = glob('**/*.ts', { cwd: folder, exclude: ['**/*.test.ts', '**/common/**'] });
  const paths = (await Array.fromAsync(found)).sort().map((path) => join(folder, path));
  return Promise.all(
    paths.map(async (path) => ({
      path,
      name: basename(path, '.ts'),
      module: (await import(pathToFileURL(path).href)) as LoadedFile['module'],
    })),
  );
};
