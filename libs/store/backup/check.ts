import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { loadDatabase } from '../postgres/backup/load.ts';
import { paced } from '../postgres/backup/pace.ts';
import { assertCounts, withScratchDatabase } from '../postgres/backup/scratch.ts';
import { readArchive } from './archive.ts';
import type { BackupConfig } from './backup.ts';

/** Restores an archive into a scratch database of the same server and counts its rows. Throws when it is not good. */
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
