import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Disk, errors } from 'flydrive';
import { FSDriver } from 'flydrive/drivers/fs';
import type { FileStorage } from '#domain/ports.ts';
import { writeFileAtomic } from './atomic-file.ts';
import { createFolderSweep } from './sweep.ts';
import { withStorageUnavailability } from './unavailable.ts';

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

const storageOver = (
  disk: () => Promise<Disk>,
  { put, sweep }: Pick<FileStorage, 'put' | 'sweep'>,
): FileStorage => {
  const read = async (key: string): Promise<Uint8Array | null> => {
    try {
      return await (await disk()).getBytes(key);
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  };
  return {
    sweep,
    put: async (key, bytes, contentType) => orUnavailable(put(checkedKey(key), bytes, contentType)),
    get: async (key) => orUnavailable(read(checkedKey(key))),
    delete: async (key) => orUnavailable((await disk()).delete(checkedKey(key))),
  };
};

const diskStorage = (folder: string): FileStorage => {
  const disk = new Disk(new FSDriver({ location: folder, visibility: 'private' }));
  return storageOver(() => Promise.resolve(disk), {
    put: (key, bytes) => writeFileAtomic(join(folder, key), bytes, 0o600),
    sweep: createFolderSweep(folder),
  });
};

/** An S3 put is atomic. The client is loaded on first use: most installations keep files on disk. */
const s3Storage = (address: string): FileStorage => {
  const url = new URL(address);
  const plain = url.searchParams.get('tls') === '0';
  let opened: Promise<Disk> | undefined;
  const disk = () => {
    opened ??= import('flydrive/drivers/s3').then(
      ({ S3Driver }) =>
        new Disk(
          new S3Driver({
            credentials: {
              accessKeyId: decodeURIComponent(url.username),
              secretAccessKey: decodeURIComponent(url.password),
            },
            endpoint: `${plain ? 'http' : 'https'}://${url.host}`,
            forcePathStyle: true,
            region: url.searchParams.get('region') ?? 'us-east-1',
            bucket: url.pathname.slice(1),
            supportsACL: false,
            visibility: 'private',
          }),
        ),
    );
    return opened;
  };
  return storageOver(disk, {
    put: async (key, bytes, contentType) => (await disk()).put(key, bytes, { contentType }),
    // A put is atomic, and there are no folders.
    sweep: () => Promise.resolve({ files: 0, folders: 0 }),
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
  if (config.STORAGE_URL === undefined) return diskStorage(join(config.DATA_DIR, 'files'));
  if (config.STORAGE_URL.startsWith('s3://')) return s3Storage(config.STORAGE_URL);
  return diskStorage(fileURLToPath(config.STORAGE_URL));
};
