import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '#platform/config/config.ts';
import type { Clock } from '#domain/time.ts';
import { resumableUploadWrites } from '#data/postgres/library/resumable-uploads.ts';
import type { Postgres } from '#data/postgres/pool.ts';
import type { Pieces } from '#data/storage/pieces.ts';

/** No call takes this long, so an older file was left behind by a killed process. */
const staleMs = 3_600_000;
const everyMs = 600_000;

/** Folder of files during their call. */
export const uploadFolder = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => join(DATA_DIR, 'uploads');

/** The folder is created with the first upload, and a file ends with its call. */
const unlessAbsent = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
};

const removeStaleUploads = async (folder: string, now: Date): Promise<number> => {
  let removed = 0;
  for (const name of (await unlessAbsent(readdir(folder))) ?? []) {
    const path = join(folder, name);
    const found = await unlessAbsent(stat(path));
    if (found === null || found.mtimeMs > now.getTime() - staleMs) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  return removed;
};

export interface UploadSweep {
  config: Pick<Config, 'DATA_DIR'>;
  clock: Clock;
  log: Logger;
  postgres: Pick<Postgres, 'single'>;
  pieces: Pieces;
}

/** Uploads in pieces that were not finished in time, or are documents by now. */
export const removeOldPieces = async ({ clock, postgres, pieces }: Omit<UploadSweep, 'config' | 'log'>) => {
  const swept = await postgres.single((tx) => resumableUploadWrites(tx).sweep(clock.now()));
  for (const { keys } of swept) await pieces.remove(keys);
  return swept.length;
};

/** Removes files left behind by a killed process, now and every ten minutes. The returned function ends that. */
export const sweepUploads = async ({ config, clock, log, ...pieces }: UploadSweep): Promise<() => void> => {
  const sweep = async (): Promise<void> => {
    try {
      const files = await removeStaleUploads(uploadFolder(config), clock.now());
      if (files > 0) log.info({ files }, 'uploads of killed processes deleted');
      const uploads = await removeOldPieces({ clock, ...pieces });
      if (uploads > 0) log.info({ uploads }, 'uploads in pieces deleted');
    } catch (error) {
      log.warn({ err: error }, 'uploads of killed processes are left to the next sweep');
    }
  };
  await sweep();
  const timer = setInterval(() => void sweep(), everyMs).unref();
  return () => clearInterval(timer);
};
