import { chmod, mkdir, open as openFile, readFile, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { codeOf } from '#domain/errors.ts';
import type { FileStorage } from '#domain/ports.ts';
import { moveFileAtomic, writeFileAtomic } from '#platform/files/atomic-file.ts';
import { createS3Store } from './s3.ts';
import { createFolderSweep } from './sweep.ts';
import { withStorageUnavailability } from '#platform/files/unavailable.ts';

/** The key is not valid for this service; nothing was read or written. */
class StorageKeyError extends Error {
  override name = 'StorageKeyError';
}

const keyPattern = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** Every part starts with a letter or digit, so `..`, hidden files and absolute paths cannot be expressed. */
const checkedKey = (key: string): string => {
  if (key.length > 500 || !keyPattern.test(key))
    throw new StorageKeyError(`not a storage key: ${JSON.stringify(key)}`);
  return key;
};

const orNull = async <T>(work: Promise<T>): Promise<T | null> => {
  try {
    return await work;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
};

const orUnavailable = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw withStorageUnavailability(error);
  }
};

/** Accepts only keys of this service, and throws `UnavailableError` while the store is unavailable. */
const checked = (store: FileStorage): FileStorage => ({
  sweep: store.sweep,
  list: () => orUnavailable(store.list()),
  put: async (key, bytes, contentType) => orUnavailable(store.put(checkedKey(key), bytes, contentType)),
  putFile: async (key, path, contentType) => orUnavailable(store.putFile(checkedKey(key), path, contentType)),
  get: async (key) => orUnavailable(store.get(checkedKey(key))),
  open: async (key, range) => orUnavailable(store.open(checkedKey(key), range)),
  delete: async (key) => orUnavailable(store.delete(checkedKey(key))),
});

const ownerOnly = 0o700;

/** Creates the folder readable by its owner only, and restricts one that an earlier version created. */
const createPrivate = async (folder: string): Promise<void> => {
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder, { mode: ownerOnly }).catch(async (error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error;
    // The mode of another user's folder, for example a mounted one, cannot be changed.
    if ((await stat(folder)).uid === process.getuid?.()) await chmod(folder, ownerOnly);
  });
};

const diskStorage = (folder: string, prepare?: () => Promise<void>): FileStorage => {
  let prepared: Promise<void> | undefined;
  const ready = (): Promise<void> => {
    prepared ??= prepare?.() ?? Promise.resolve();
    prepared.catch(() => (prepared = undefined));
    return prepared;
  };
  return checked({
    put: (key, bytes) => ready().then(() => writeFileAtomic(join(folder, key), bytes, 0o600)),
    putFile: (key, path) => ready().then(() => moveFileAtomic(path, join(folder, key))),
    get: (key) => orNull(readFile(join(folder, key))),
    open: async (key, range) => {
      const file = await orNull(openFile(join(folder, key), 'r'));
      return file?.createReadStream(range ? { start: range.first, end: range.last } : {}) ?? null;
    },
    delete: (key) => rm(join(folder, key), { force: true }),
    list: async () => {
      const entries = (await orNull(readdir(folder, { withFileTypes: true }))) ?? [];
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    },
    sweep: createFolderSweep(folder),
  });
};

/**
 * Files on disk (default `DATA_DIR/files`, or `file:///folder`) or in S3 (`s3://KEY:SECRET@HOST/BUCKET?region=R`,
 * `&tls=0` for plain HTTP). A key that could leave the store throws `StorageKeyError`, an unavailable store
 * `UnavailableError`.
 */
export const createStorage = (config: {
  STORAGE_URL?: string | undefined;
  DATA_DIR: string;
}): FileStorage => {
  if (config.STORAGE_URL === undefined) {
    const folder = join(config.DATA_DIR, 'files');
    // Permissions of a folder chosen by the operator are left to the operator.
    return diskStorage(folder, () => createPrivate(folder));
  }
  if (config.STORAGE_URL.startsWith('s3://')) return checked(createS3Store(config.STORAGE_URL));
  return diskStorage(fileURLToPath(config.STORAGE_URL));
};
