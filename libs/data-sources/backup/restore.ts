import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { startServiceDatabase } from '../embedded/open.ts';
import { isEmptyDatabase, loadDatabase } from '../postgres/backup/load.ts';
import { ArchiveError, readArchive } from './archive.ts';

export interface RestoreReport {
  takenAt: string;
  rows: number;
  files: number;
  seconds: number;
}

type Environment = Record<string, string | undefined>;

/** Nothing that exists is overwritten. */
const assertEmpty = async (dataDir: string): Promise<void> => {
  const present = existsSync(dataDir) ? await readdir(dataDir) : [];
  if (present.length > 0)
    throw new ArchiveError(`DATA_DIR: ${dataDir} is not empty; a backup is restored into an empty folder.`);
};

/**
 * Restores an archive into an empty DATA_DIR and, with DATABASE_URL, into an empty database. The archive is checked as a
 * whole before anything is created; a restore that fails later leaves a folder that can be deleted.
 */
export const restore = async (env: Environment, file: string): Promise<RestoreReport> => {
  const startedAt = performance.now();
  const dataDir = resolve(env['DATA_DIR'] || '.data');
  await assertEmpty(dataDir);
  const url = env['DATABASE_URL'];
  if (url && !(await isEmptyDatabase(url)))
    throw new ArchiveError(
      'DATABASE_URL: the database is not empty; a backup is restored into an empty one.',
    );
  await mkdir(dataDir, { recursive: true });
  const folder = await mkdtemp(join(dataDir, 'restore-'));
  try {
    const manifest = await readArchive(resolve(file), folder);
    const started = url ? null : await startServiceDatabase(dataDir);
    try {
      await loadDatabase(url || started?.url || '', manifest.database, join(folder, 'tables'));
    } finally {
      await started?.server.stop();
    }
    await rm(join(folder, 'tables'), { recursive: true });
    for (const name of await readdir(folder)) await rename(join(folder, name), join(dataDir, name));
    return {
      takenAt: manifest.takenAt,
      rows: manifest.database.tables.reduce((sum, { rows }) => sum + rows, 0),
      files: manifest.entries.length - manifest.database.tables.length,
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
