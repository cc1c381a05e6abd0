import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileStorage } from '#domain/ports.ts';
import { createStorage } from '../storage/storage.ts';
import { ArchiveError } from './archive.ts';
import { timeOf } from './kept.ts';

/** The folder or bucket of BACKUP_URL. */
export const placeOf = (url: string | undefined): FileStorage => {
  if (!url) throw new ArchiveError('BACKUP_URL is not set: there is no place for backups.');
  return createStorage({ DATA_DIR: '', STORAGE_URL: url });
};

/** Reads a backup into a file of the folder and returns its path. */
export const fetchBackup = async (place: FileStorage, name: string, folder: string): Promise<string> => {
  const stored = await place.open(name);
  if (!stored) throw new ArchiveError(`${name} is not in the place of backups.`);
  const path = join(folder, name);
  await pipeline(stored, createWriteStream(path, { mode: 0o600 }));
  return path;
};

/** Reads the newest backup of the place into the folder. */
export const fetchNewest = async (place: FileStorage, folder: string): Promise<string> => {
  // Their names sort by time.
  const name = (await place.list())
    .filter((each) => timeOf(each) !== null)
    .toSorted()
    .at(-1);
  if (name === undefined) throw new ArchiveError('BACKUP_URL: there is no backup.');
  return fetchBackup(place, name, folder);
};
