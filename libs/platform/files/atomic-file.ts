import { randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from '#domain/errors.ts';
import { withStorageUnavailability } from './unavailable.ts';

/** Name of an incomplete file; one left by a kill is removed by the sweep. */
export const temporaryNameOf = (path: string): string => `${path}.${randomUUID()}.tmp`;
export const temporaryName = /\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/;

/** Windows cannot flush folders. */
const canSyncFolders = process.platform !== 'win32';

/** A rename survives a power failure only once its folder is flushed. */
export const syncFolder = async (folder: string): Promise<void> => {
  if (!canSyncFolders) return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

export const syncFolderNow = (folder: string): void => {
  if (!canSyncFolders) return;
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

const mostAttempts = 10;

/** Creates the path's folder, again if the sweep removes it while it is still empty. */
const inFolder = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await mkdir(dirname(path), { recursive: true });
      return await work();
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || attempt === mostAttempts) throw error;
    }
  }
};

/**
 * Replaces a file atomically: writes a temporary file beside it, flushes, renames, and flushes the folder, which it
 * creates if needed. A failure leaves the old file; a full disk and similar conditions throw UnavailableError.
 */
export const writeFileAtomic = async (
  path: string,
  content: Uint8Array | string,
  mode = 0o666,
): Promise<void> => {
  const temporary = temporaryNameOf(path);
  try {
    await inFolder(temporary, async () => {
      try {
        await writeFile(temporary, content, { flag: 'wx', mode, flush: true });
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    });
  } catch (error) {
    throw withStorageUnavailability(error);
  }
  await syncFolder(dirname(path));
};

const flush = async (path: string): Promise<void> => {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
};

/** Moves a complete file into place in the same way, keeping its mode; across disks it is copied first. */
export const moveFileAtomic = async (source: string, path: string): Promise<void> => {
  const temporary = temporaryNameOf(path);
  try {
    await flush(source);
    try {
      await inFolder(path, () => rename(source, path));
    } catch (error) {
      if (codeOf(error) !== 'EXDEV') throw error;
      await inFolder(path, () => copyFile(source, temporary));
      await flush(temporary);
      await rename(temporary, path);
    }
  } catch (error) {
    await rm(temporary, { force: true });
    throw withStorageUnavailability(error);
  }
  await syncFolder(dirname(path));
};

/** writeFileAtomic for code that cannot await. */
export const writeFileAtomicNow = (path: string, content: string, mode = 0o666): void => {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = temporaryNameOf(path);
  try {
    writeFileSync(temporary, content, { flag: 'wx', mode, flush: true });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncFolderNow(dirname(path));
};
