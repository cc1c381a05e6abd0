/** Resumable uploads by the tus protocol; the app supplies its library `tus-js-client`. */
import type { Client } from '../client.ts';
import { EfbError } from '../errors.ts';
import { newKey } from '../retry.ts';
import type { Input, Output } from '../types.ts';

interface TusOptions {
  uploadUrl: string;
  uploadSize: number;
  retryDelays: number[];
  onBeforeRequest: (request: { setHeader: (name: string, value: string) => void }) => Promise<void>;
  onProgress: (sent: number, total: number) => void;
  onSuccess: () => void;
  onError: (error: Error) => void;
}

/** The subset of `tus-js-client` that is used. */
export interface Tus {
  Upload: new (file: never, options: TusOptions) => { start: () => void; abort: () => Promise<void> };
}

export interface ResumableOptions {
  /** `await import('tus-js-client')` */
  tus: Tus;
  filename: string;
  /** Stored by the app with the file, so that a restarted app resumes this upload; by default a new one. */
  key?: string;
  onProgress?: (sentBytes: number, bytes: number) => void;
  /** Interrupts it; the bytes already sent are kept for a day. */
  signal?: AbortSignal;
  /** Milliseconds before each retry; a retry that made progress starts again from the first. */
  retryDelays?: number[];
}

type Data = Omit<NonNullable<Input<'libraryUpload'>>, 'uploadId' | 'url'>;

export type Uploaded = Output<'libraryUpload'> | NonNullable<Output<'libraryUploadBegin'>['unchanged']>;

const hexOf = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** The library accepts buffers in Node and blobs in browsers. */
const sourceOf = (file: Blob, bytes: ArrayBuffer): never => {
  const { Buffer: ofNode } = globalThis as { Buffer?: { from: (bytes: ArrayBuffer) => unknown } };
  return (ofNode ? ofNode.from(bytes) : file) as never;
};

const send = async (
  client: Client,
  source: never,
  { path, bytes }: { path: string; bytes: number },
  { tus, onProgress, signal, retryDelays = [0, 1_000, 3_000, 10_000] }: ResumableOptions,
): Promise<void> => {
  signal?.throwIfAborted();
  const { baseUrl } = await client.connection();
  await new Promise<void>((resolve, reject) => {
    const upload = new tus.Upload(source, {
      uploadUrl: `${baseUrl}${path}`,
      uploadSize: bytes,
      retryDelays,
      onBeforeRequest: async (request) => {
        const { headers } = await client.connection();
        for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
      },
      onProgress: (sent, total) => onProgress?.(sent, total),
      onSuccess: () => resolve(),
      onError: (cause) =>
        reject(
          new EfbError(
            `libraryUpload: the upload was cut.`,
            {
              query: 'libraryUpload',
              code: 'NETWORK_ERROR',
              status: 0,
              logId: null,
              details: [],
              retryAfterSeconds: null,
              body: {},
            },
            { cause },
          ),
        ),
    });
    const stop = () => {
      void upload.abort();
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', stop, { once: true });
    upload.start();
  });
};

/**
 * Like `client.upload('libraryUpload', …)`, for a file that may take several connections. Bytes that the file `fileId`
 * already has are not sent, and make no version. Throws an EfbError; a later call with the same `key` resumes it.
 */
export const uploadResumable = async (
  client: Client,
  file: Blob,
  data: Data,
  options: ResumableOptions,
): Promise<Uploaded> => {
  const { filename, key = newKey(), signal } = options;
  const call = signal ? { signal } : {};
  const bytes = await file.arrayBuffer();
  const sha256 = hexOf(await crypto.subtle.digest('SHA-256', bytes));
  const { fileId } = data;
  const { upload, unchanged } = await client.send(
    'libraryUploadBegin',
    { name: filename, bytes: file.size, sha256, ...(fileId === undefined ? {} : { fileId }) },
    { ...call, idempotencyKey: `${key}-begin` },
  );
  if (unchanged) return unchanged;
  const { uploadId, path } = upload as NonNullable<typeof upload>;
  await send(client, sourceOf(file, bytes), { path, bytes: file.size }, options);
  return client.send('libraryUpload', { ...data, uploadId }, { ...call, idempotencyKey: `${key}-end` });
};
