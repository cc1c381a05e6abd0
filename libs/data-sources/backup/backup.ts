import { existsSync } from 'node:fs';
import { link, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { dumpDatabase } from '../postgres/backup/dump.ts';
import { ArchiveError, sumOf, writeArchive } from './archive.ts';
import { archiveVersion } from './manifest.ts';
import type { Manifest } from './manifest.ts';

interface BackupConfig {
  DATABASE_URL: string;
  DATA_DIR: string;
}

export interface BackupReport {
  file: string;
  bytes: number;
  tables: number;
  rows: number;
  files: number;
  takenAt: string;
  seconds: number;
}

/** What of DATA_DIR is kept: stored files, mails without a server, secrets. The rest is made again. */
const folders = ['files', 'outbox'];
const secrets = 'secrets.json';

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EEXIST');

/** Hard links of what is there now; a link keeps a file that the service deletes in the meantime. */
const linkFiles = async (from: string, to: string): Promise<void> => {
  for (const folder of folders) {
    if (!existsSync(join(from, folder))) continue;
    for (const entry of await readdir(join(from, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.name.endsWith('.tmp')) continue;
      const source = join(entry.parentPath, entry.name);
      const target = join(to, relative(from, source));
      await mkdir(dirname(target), { recursive: true });
      try {
        await link(source, target);
      } catch (error) {
        // Deleted a moment ago, or linked by an earlier pass.
        if (!isGone(error)) throw error;
      }
    }
  }
};

const entriesOf = async (folder: string): Promise<Manifest['entries']> => {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
  const entries: Manifest['entries'] = [];
  for (const path of paths) entries.push({ path, ...(await sumOf(join(folder, path))) });
  return entries;
};

/**
 * Database, files and secrets in one archive, of a running or a stopped service. Every write that was acknowledged before
 * `takenAt` is in it. Needs the space of the uncompressed data in DATA_DIR while it runs.
 */
export const backUp = async (config: BackupConfig, out: string, service: string): Promise<BackupReport> => {
  if (existsSync(out)) throw new ArchiveError(`${out} exists already.`);
  const startedAt = performance.now();
  const folder = await mkdtemp(join(config.DATA_DIR, 'backup-'));
  try {
    await mkdir(join(folder, 'tables'));
    // Files are stored before their rows and deleted after them: a pass before the moment of the database and one after it
    // have every file that its rows refer to.
    await linkFiles(config.DATA_DIR, folder);
    let takenAt = '';
    const database = await dumpDatabase(config.DATABASE_URL, join(folder, 'tables'), async () => {
      takenAt = new Date().toISOString();
      await linkFiles(config.DATA_DIR, folder);
      if (existsSync(join(config.DATA_DIR, secrets)))
        await link(join(config.DATA_DIR, secrets), join(folder, secrets));
    });
    const entries = await entriesOf(folder);
    await writeArchive(out, folder, {
      format: 'efb-backup',
      version: archiveVersion,
      service,
      takenAt,
      entries,
      database,
    });
    return {
      file: out,
      bytes: (await stat(out)).size,
      tables: database.tables.length,
      rows: database.tables.reduce((sum, { rows }) => sum + rows, 0),
      files: entries.length - database.tables.length,
      takenAt,
      seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
