import { resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Variable } from './sources.ts';

export const backupVariables = {
  BACKUP_URL: {
    schema: z
      .string()
      .regex(/^(file:\/\/\/|s3:\/\/)/, 'must be a file:/// or s3:// URL')
      .optional(),
    secret: true,
    text: 'Where a worker puts a backup every six hours: a folder on another disk or a separate bucket, written as in `STORAGE_URL`. No scheduled backups without it.',
  },
  BACKUP_DAYS: {
    schema: z.coerce
      .number('must be a number')
      .int('must be a whole number')
      .min(2, 'must be at least 2')
      .max(3_650, 'must be at most 3650')
      .default(14),
    text: 'Days for which the last backup of each day is kept; of the last two days every one.',
  },
} as const satisfies Record<string, Variable>;

/** A backup next to its data is lost with them. */
export const backupProblems = (url: string | undefined, dataDir: string): string[] => {
  if (url?.startsWith('file:') !== true) return [];
  const isInside = `${fileURLToPath(url)}${sep}`.startsWith(`${resolve(dataDir)}${sep}`);
  return isInside ? ['BACKUP_URL: must not be inside DATA_DIR'] : [];
};
