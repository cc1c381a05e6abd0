import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { lockFolder } from '#platform/embedded/system.ts';
import { startServiceDatabase } from '../service-database.ts';
import { clearDatabase, stateOfDatabase } from '../postgres/backup/scratch.ts';
import { loadDatabase } from '../postgres/backup/load.ts';
import type { OnRows } from '../postgres/backup/load.ts';
import { ArchiveError, readArchive } from './archive.ts';
import { fetchNewest, placeOf } from './place.ts';
import type { BackupReport } from './backup.ts';

type RestoreReport = Pick<BackupReport, 'takenAt' | 'rows' | 'files' | 'seconds'>;

interface RestoreOptions {
  /** Deletes leftovers of a killed restore. */
  clean?: boolean;
  /** Interrupts the restore, which then leaves nothing behind. */
  signal?: AbortSignal | undefined;
  onRows?: OnRows | undefined;
}

type Environment = Record<string, string | undefined>;

const prefix = 'restore-';
const withClean = 'Run the command again with --clean, which deletes them.';

const removeAll = async (dataDir: string): Promise<void> => {
  for (const name of await readdir(dataDir)) await rm(join(dataDir, name), { recursive: true, force: true });
};

/** A completed restore has moved everything out of its folder. */
const leftoversIn = async (dataDir: string, present: readonly string[]): Promise<boolean> => {
  const folders = present.filter((name) => name.startsWith(prefix));
  const sizes = await Promise.all(folders.map(async (name) => (await readdir(join(dataDir, name))).length));
  return sizes.some((size) => size > 0);
};

/** Overwrites nothing; the remains of an interrupted restore are deleted on request. */
const assertEmpty = async (dataDir: string, clean: boolean): Promise<void> => {
  const present = existsSync(dataDir) ? await readdir(dataDir) : [];
  if (present.length === 0) return;
  if (!(await leftoversIn(dataDir, present)))
    throw new ArchiveError(`DATA_DIR: ${dataDir} is not empty; a backup is restored into an empty folder.`);
  if (!clean)
    throw new ArchiveError(
      `DATA_DIR: ${dataDir} has the leftovers of an interrupted restore: ${present.join(', ')}. ${withClean}`,
    );
  // Not while a restore is still running.
  const unlock = await lockFolder(join(dataDir, 'postgres'));
  await removeAll(dataDir);
  await unlock();
};

const assertDatabaseEmpty = async (url: string, clean: boolean): Promise<void> => {
  const state = await stateOfDatabase(url);
  if (state === 'empty') return;
  if (state === 'used')
    throw new ArchiveError(
      'DATABASE_URL: the database is not empty; a backup is restored into an empty one.',
    );
  if (!clean)
    throw new ArchiveError(
      `DATABASE_URL: the database has tables and no account: the leftovers of an interrupted restore. ${withClean}`,
    );
  await clearDatabase(url);
};

const restoreInto = async (
  dataDir: string,
  file: string | undefined,
  env: Environment,
  { signal, onRows }: RestoreOptions,
): Promise<Omit<RestoreReport, 'seconds'>> => {
  const folder = await mkdtemp(join(dataDir, prefix));
  const url = env['DATABASE_URL'];
  const archive = file === undefined ? await fetchNewest(placeOf(env['BACKUP_URL']), folder) : resolve(file);
  const manifest = await readArchive(archive, folder, { signal });
  const started = url ? null : await startServiceDatabase(dataDir);
  try {
    await loadDatabase(url || started?.url || '', manifest.database, join(folder, 'tables'), {
      signal,
      onRows,
    });
  } finally {
    await started?.server.stop();
  }
  await rm(join(folder, 'tables'), { recursive: true });
  if (file === undefined) await rm(archive);
  for (const name of await readdir(folder)) await rename(join(folder, name), join(dataDir, name));
  await rm(folder, { recursive: true });
  return {
    takenAt: manifest.takenAt,
    rows: manifest.database.tables.reduce((sum, { rows }) => sum + rows, 0),
    files: manifest.entries.length - manifest.database.tables.length,
  };
};

/**
 * Restores an archive, without one the newest of BACKUP_URL, into an empty DATA_DIR and, with DATABASE_URL, into an empty
 * database. The archive is checked as a whole before anything is created. A restore that fails or is interrupted leaves both empty.
 */
export const restore = async (
  env: Environment,
  file?: string,
  { clean = false, ...options }: RestoreOptions = {},
): Promise<RestoreReport> => {
  const startedAt = performance.now();
  const dataDir = resolve(env['DATA_DIR'] || '.data');
  await assertEmpty(dataDir, clean);
  const url = env['DATABASE_URL'];
  if (url) await assertDatabaseEmpty(url, clean);
  await mkdir(dataDir, { recursive: true });
  try {
    const report = await restoreInto(dataDir, file, env, options);
    return { ...report, seconds: Math.round((performance.now() - startedAt) / 100) / 10 };
  } catch (error) {
    await removeAll(dataDir);
    if (url) await clearDatabase(url);
    if (options.signal?.aborted)
      throw new ArchiveError('Interrupted: nothing was restored.', { cause: error });
    throw error;
  }
};
