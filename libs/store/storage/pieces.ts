/**
 * Files received in parts, over several requests and processes, for the tus protocol: each part is a file in
 * the storage, and the upload's row lists them in order.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DataStore } from '@tus/server';
import type { Config } from '#platform/config/config.ts';
import type { FileStorage } from '#domain/ports.ts';
import { resumableUploadRepo, resumableUploadWrites } from '../postgres/library/resumable-uploads.ts';
import type { ArrivedUpload } from '../postgres/library/resumable-uploads.ts';
import type { Postgres } from '../postgres/pool.ts';

/** Folder for the bytes of a request until all of them have arrived. */
export const uploadFolder = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => join(DATA_DIR, 'uploads');

export interface Pieces {
  /** Target of the tus protocol's writes. */
  store: () => Promise<DataStore>;
  /** The bytes of an upload, in their order. */
  read: (upload: ArrivedUpload) => Readable;
  remove: (keys: readonly string[]) => Promise<void>;
}

interface Deps {
  postgres: Pick<Postgres, 'db' | 'single'>;
  storage: FileStorage;
  /** Folder for the bytes of a request until all of them have arrived. */
  folder: string;
}

const contentType = 'application/octet-stream';
/** Errors in the form of the protocol's library. */
const failure = (status: number, message: string): Error =>
  Object.assign(new Error(message), { status_code: status, body: `${message}\n` });

const bytesOf = async function* (storage: FileStorage, keys: readonly string[]) {
  for (const key of keys) {
    const piece = await storage.open(key);
    if (!piece) throw new Error(`the piece ${key} of an upload is gone`);
    yield* piece;
  }
};

/** Stores the received bytes, even if the connection was cut; returns the offset after them. */
const write = async (
  { postgres, storage, folder }: Deps,
  { id, offset, stream }: { id: string; offset: number; stream: Readable },
): Promise<number> => {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, randomUUID());
  try {
    await pipeline(stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    const { size: bytes } = await stat(path);
    if (bytes === 0) return offset;
    const key = `resumable/${id}/${randomUUID()}`;
    await storage.putFile(key, path, contentType);
    if (await postgres.single((tx) => resumableUploadWrites(tx).arrived(id, offset, { key, bytes })))
      return offset + bytes;
    await storage.delete(key);
    throw failure(409, 'Other bytes have arrived at this offset.');
  } finally {
    await rm(path, { force: true });
  }
};

export const createPieces = (deps: Deps): Pieces => {
  const { postgres, storage } = deps;
  return {
    store: async () => {
      const { DataStore: Store, Upload } = await import('@tus/server');
      return Object.assign(new Store(), {
        getUpload: async (id: string) => {
          const found = await resumableUploadRepo(postgres.db).byId(id);
          if (!found) throw failure(404, 'The upload was not found.');
          return new Upload({ id, size: found.bytes, offset: found.offset });
        },
        write: (stream: Readable, id: string, offset: number) => write(deps, { id, offset, stream }),
      });
    },
    read: ({ keys }) => Readable.from(bytesOf(storage, keys)),
    remove: async (keys) => {
      for (const key of keys) await storage.delete(key);
    },
  };
};
