import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const lastBackupSchema = z.object({ file: z.string(), takenAt: z.iso.datetime(), bytes: z.int() });
export type LastBackup = z.output<typeof lastBackupSchema>;

const pathIn = (dataFolder: string): string => join(dataFolder, 'last-backup.json');

/** Remembers the last complete backup, for those who ask how old it is. */
export const noteBackup = async (dataFolder: string, { file, takenAt, bytes }: LastBackup): Promise<void> => {
  const path = pathIn(dataFolder);
  await writeFile(`${path}.tmp`, JSON.stringify({ file, takenAt, bytes }), { mode: 0o600 });
  await rename(`${path}.tmp`, path);
};

/** The last complete backup that was made from this folder, or null. */
export const lastBackup = async (dataFolder: string): Promise<LastBackup | null> => {
  try {
    return lastBackupSchema.parse(JSON.parse(await readFile(pathIn(dataFolder), 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
};
