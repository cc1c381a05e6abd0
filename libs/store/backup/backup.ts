import { constants, existsSync } from 'node:fs';
import { copyFile, link, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { dumpDatabase } from '../postgres/backup/dump.ts';
import { paced } from '../postgres/backup/pace.ts';
import type { Pace } from '../postgres/backup/pace.ts';
import { ArchiveError, sumOf, writeArchive, archiveVersion, readArchive } from './archive.ts';
import type { Manifest } from './archive.ts';
import { codeOf } from '#domain/errors.ts';
import type { Clock } from '#domain/time.ts';
import { version } from '#platform/command-line.ts';
import type { Config } from '#platform/config/config.ts';
import { backupNameOf, expiredBackups, fetchBackup, placeOf } from './place.ts';
import { loadDatabase } from '../postgres/backup/load.ts';
import { assertCounts, withScratchDatabase } from '../postgres/backup/scratch.ts';

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

/**
 * The parts of DATA_DIR in a backup: stored files, mails without a server, secrets. Everything else can be regenerated.
 */
const folders = ['files', 'outbox'];
const secrets = 'secrets.json';

/** A hard link, or a copy where the file is on another file system (a volume below DATA_DIR). */
const keep = async (source: string, target: string): Promise<void> => {
  const copy = (error: unknown) => {
    if (codeOf(error) !== 'EXDEV') throw error;
    return copyFile(source, target, constants.COPYFILE_EXCL);
  };
  try {
    await link(source, target).catch(copy);
  } catch (error) {
    // Deleted a moment ago, or linked by an earlier pass.
    if (codeOf(error) !== 'ENOENT' && codeOf(error) !== 'EEXIST') throw error;
  }
};

/** Links the current files; a link preserves a file that the service deletes in the meantime. */
const linkFiles = async (from: string, to: string): Promise<void> => {
  for (const folder of folders) {
    if (!existsSync(join(from, folder))) continue;
    for (const entry of await readdir(join(from, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || entry.name.endsWith('.tmp')) continue;
      const source = join(entry.parentPath, entry.name);
      const target = join(to, relative(from, source));
      await mkdir(dirname(target), { recursive: true });
      await keep(source, target);
    }
  }
};

const entriesOf = async (folder: string, pace: Pace): Promise<Manifest['entries']> => {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
  const entries: Manifest['entries'] = [];
  for (const path of paths) entries.push({ path, ...(await sumOf(join(folder, path), pace)) });
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
    // Files are stored before their rows and deleted after them: a pass before the database snapshot and one after it
    // have every file that its rows refer to.
    await linkFiles(config.DATA_DIR, folder);
    const { takenAt: at, ...database } = await dumpDatabase(
      config.DATABASE_URL,
      join(folder, 'tables'),
      async () => {
        await linkFiles(config.DATA_DIR, folder);
        if (existsSync(join(config.DATA_DIR, secrets)))
          await link(join(config.DATA_DIR, secrets), join(folder, secrets));
      },
      paced,
    );
    const takenAt = at.toISOString();
    const entries = await entriesOf(folder, paced);
    const format = 'efb-backup';
    await writeArchive(
      out,
      folder,
      { format, version: archiveVersion, service, takenAt, entries, database },
      paced,
    );
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
