import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#data/config.ts';

/** No call takes this long, so an older file was left behind by a killed process. */
const staleMs = 3_600_000;

/** Folder of files during their call. */
export const uploadFolder = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => join(DATA_DIR, 'uploads');

/** Removes files left behind by a killed process. Returns their number. */
export const removeStaleUploads = async (config: Pick<Config, 'DATA_DIR'>, now: Date): Promise<number> => {
  const folder = uploadFolder(config);
  const names = await readdir(folder).catch((error: unknown) => {
    // The folder is created with the first upload.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  let removed = 0;
  for (const name of names) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (mtimeMs > now.getTime() - staleMs) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
};
