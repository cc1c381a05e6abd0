import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not in this folder; the next one may have it.
    return false;
  }
};

/** The first program of one of these names on the PATH or in the folder of servers, or null. */
export const onPath = (...names: string[]): string | null =>
  [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isExecutable) ?? null;
