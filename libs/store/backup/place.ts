import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileStorage } from '#domain/ports.ts';
import { createStorage } from '../storage/storage.ts';
import { ArchiveError } from './archive.ts';
import { addSeconds, daySeconds } from '#domain/time.ts';

/** Every backup of this period is retained. */
const wholeDays = 2;
/** The last one of each day. */
const days = 14;
const namePattern = /^efb-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.zst$/;

/** Name of a backup in its place: `efb-20261123T062300Z.tar.zst`. */
export const backupNameOf = (takenAt: Date): string =>
  `efb-${takenAt.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.tar.zst`;

/** The time of the state in a backup of this name; null for other files. */
export const timeOf = (name: string): Date | null =>
  namePattern.test(name) ? new Date(name.replace(namePattern, '$1-$2-$3T$4:$5:$6Z')) : null;

/** Expired backups: older than two days, and not the last of a day within the last two weeks. */
export const expiredBackups = (names: readonly string[], now: Date): string[] => {
  const found = names
    .flatMap((name) => {
      const at = timeOf(name);
      return at ? [{ name, at }] : [];
    })
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
  const daysSeen = new Set<string>();
  return found
    .filter(({ at }) => {
      const date = at.toISOString().slice(0, 10);
      const isLastOfDay = !daysSeen.has(date);
      daysSeen.add(date);
      return at < addSeconds(now, -(isLastOfDay ? days : wholeDays) * daySeconds);
    })
    .map(({ name }) => name);
};

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
