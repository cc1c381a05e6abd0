import { chmod, mkdir, open as openFile, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Disk, errors } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { ByteRange, FileStorage } from '#domain/ports.ts';
import { moveFileAtomic, writeFileAtomic } from '#platform/files/atomic-file.ts';
import { createS3Store } from './s3.ts';
import type { Store } from './store.ts';
import { createFolderSweep } from './sweep.ts';
import { withStorageUnavailability } from '#platform/files/unavailable.ts';

/** The key is not valid for this service; nothing was read or written. */
export class StorageKeyError extends Error {
  override name = 'StorageKeyError';
}

const keyPattern = /^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/;

/** Every part starts with a letter or digit, so `..`, hidden files and absolute paths cannot be expressed. */
const checkedKey = (key: string): string => {
  if (key.length > 500 || !keyPattern.test(key))
    throw new StorageKeyError(`not a storage key: ${JSON.stringify(key)}`);
  return key;
};

const isAbsent = (error: unknown): boolean => {
  if (!(error instanceof errors.E_CANNOT_READ_FILE)) return false;
  const { cause } = error;
  if (!(cause instanceof Error)) return false;
  return (
    ('code' in cause && cause.code === 'ENOENT') || cause.name === 'NoSuchKey' || cause.name === 'NotFound'
  );
};

const orUnavailable = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw withStorageUnavailability(error);
  }
};

const storageOver = ({ disk, put, putFile, open, sweep }: Store): FileStorage => {
  const read = async (key: string): Promise<Uint8Array | null> => {
    try {
      return await (await disk()).getBytes(key);
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  };
  const list = async (): Promise<string[]> => {
    const keys: string[] = [];
    let paginationToken: string | undefined;
    do {
      const page = await (
        await disk()
      ).listAll('', { recursive: false, ...(paginationToken === undefined ? {} : { paginationToken }) });
      for (const object of page.objects) if (object.isFile) keys.push(object.key);
      ({ paginationToken } = page);
    } while (paginationToken !== undefined);
    return keys;
  };
  return {
    sweep,
    list: () => orUnavailable(list()),
    put: async (key, bytes, contentType) => orUnavailable(put(checkedKey(key), bytes, contentType)),
    putFile: async (key, path, contentType) => orUnavailable(putFile(checkedKey(key), path, contentType)),
    get: async (key) => orUnavailable(read(checkedKey(key))),
    open: async (key, range) => orUnavailable(open(checkedKey(key), range)),
    delete: async (key) => orUnavailable((await disk()).delete(checkedKey(key))),
  };
};

const openOnDisk = async (path: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null> => {
  let file: FileHandle;
  try {
    file = await openFile(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  return file.createReadStream(range ? { start: range.first, end: range.last } : {});
};

const ownerOnly = 0o700;

/** Creates the folder for its owner only, also one that an earlier version has created for others. */
const createPrivate = async (folder: string): Promise<void> => {
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder, { mode: ownerOnly }).catch(async (error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    // Of a folder of someone else, for example a mounted one, the mode cannot be changed.
    if ((await stat(folder)).uid === process.getuid?.()) await chmod(folder, ownerOnly);
  });
};

const diskStorage = (folder: string, prepare?: () => Promise<void>): FileStorage => {
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }));
  let prepared: Promise<void> | undefined;
  const ready = (): Promise<void> => {
    prepared ??= prepare?.() ?? Promise.resolve();
    prepared.catch(() => (prepared = undefined));
    return prepared;
  };
  return storageOver({
    disk: () => Promise.resolve(disk),
    put: (key, bytes) => ready().then(() => writeFileAtomic(join(folder, key), bytes, 0o600)),
    putFile: (key, path) => ready().then(() => moveFileAtomic(path, join(folder, key))),
    open: (key, range) => openOnDisk(join(folder, key), range),
    sweep: createFolderSweep(folder),
  });
};

/**
 * Files on disk (default `DATA_DIR/files`, or `file:///folder`) or in S3 (`s3://KEY:SECRET@HOST/BUCKET?region=R`,
 * `&tls=0` for plain HTTP). A key that could leave the store throws `StorageKeyError`, a store that cannot do it now
 * `UnavailableError`.
 */
export const createStorage = (config: {
  STORAGE_URL?: string | undefined;
  DATA_DIR: string;
}): FileStorage => {
  if (config.STORAGE_URL === undefined) {
    const folder = join(config.DATA_DIR, 'files');
    // Who may read a folder that the operator names is the operator's decision.
    return diskStorage(folder, () => createPrivate(folder));
  }
  if (config.STORAGE_URL.startsWith('s3://')) return storageOver(createS3Store(config.STORAGE_URL));
  return diskStorage(fileURLToPath(config.STORAGE_URL));
};
