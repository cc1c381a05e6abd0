import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#domain/time.ts';
import { version } from '#platform/command-line.ts';
import type { Config } from '#platform/config/config.ts';
import { backUp } from './backup.ts';
import type { BackupReport, BackupConfig } from './backup.ts';
import { backupNameOf, expiredBackups, fetchBackup, placeOf } from './place.ts';
import { loadDatabase } from '../postgres/backup/load.ts';
import { paced } from '../postgres/backup/pace.ts';
import { assertCounts, withScratchDatabase } from '../postgres/backup/scratch.ts';
import { readArchive } from './archive.ts';

/**
 * Restores an archive into a scratch database of the same server and counts its rows. Throws if the archive
 * is damaged or incomplete.
 */
export const checkArchive = async ({ DATABASE_URL, DATA_DIR }: BackupConfig, file: string): Promise<void> => {
  const folder = await mkdtemp(join(DATA_DIR, 'backup-'));
  try {
    const { database } = await readArchive(file, folder, { pace: paced });
    await withScratchDatabase(DATABASE_URL, async (url) => {
      await loadDatabase(url, database, join(folder, 'tables'), { pace: paced });
      await assertCounts(url, database.tables);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const leftover = /^backup-\w{6}$/;
const leftoverMs = 86_400_000;

/** A killed process leaves the folder of its backup behind, with a copy of the data. */
const removeLeftovers = async (dataDir: string): Promise<void> => {
  for (const name of (await readdir(dataDir)).filter((each) => leftover.test(each))) {
    const path = join(dataDir, name);
    if ((await stat(path)).mtimeMs < Date.now() - leftoverMs)
      await rm(path, { recursive: true, force: true });
  }
};

/**
 * Stores a backup in BACKUP_URL, reads it back and restores it on trial. Older ones are deleted afterwards, so that a
 * failure deletes none.
 */
export const makeBackup = async (
  config: Config,
  clock: Clock,
  signal?: AbortSignal,
): Promise<BackupReport> => {
  const startedAt = performance.now();
  const place = placeOf(config.BACKUP_URL);
  await removeLeftovers(config.DATA_DIR);
  const folder = await mkdtemp(join(config.DATA_DIR, 'backup-'));
  try {
    const made = await backUp(config, join(folder, 'made.tar.zst'), version);
    const name = backupNameOf(new Date(made.takenAt));
    signal?.throwIfAborted();
    await place.putFile(name, made.file, 'application/zstd');
    await checkArchive(config, await fetchBackup(place, name, folder));
    for (const old of expiredBackups(await place.list(), clock.now())) await place.delete(old);
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
    return { ...made, file: name, seconds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
