import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Disk } from 'flydrive';
import type { ByteRange } from '#domain/ports.ts';
import type { Store } from './store.ts';

interface Opened {
  disk: Disk;
  client: S3Client;
}

const isAbsent = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound');

/** The server closed the connection, often an idle one at the moment in which it was used again. */
const isReset = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')) || isReset(error.cause));

/** The client is loaded on first use: most installations keep files on disk. */
const opening = async (url: URL): Promise<Opened> => {
  const [{ S3Client: Client }, { Disk: Flydrive }, { S3Driver }] = await Promise.all([
    import('@aws-sdk/client-s3'),
    import('flydrive'),
    import('flydrive/drivers/s3'),
  ]);
  const isPlain = url.searchParams.get('tls') === '0';
  const client = new Client({
    // Without keys in the URL the SDK looks for them: environment, shared file, workload identity, role of the machine.
    ...(url.username === ''
      ? {}
      : {
          credentials: {
            accessKeyId: decodeURIComponent(url.username),
            secretAccessKey: decodeURIComponent(url.password),
          },
        }),
    endpoint: `${isPlain ? 'http' : 'https'}://${url.host}`,
    forcePathStyle: true,
    region: url.searchParams.get('region') ?? 'us-east-1',
    // Not every compatible server knows the checksums that are sent behind a body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  const bucket = url.pathname.slice(1);
  const driver = new S3Driver({ client, bucket, supportsACL: false, visibility: 'private' });
  return { disk: new Flydrive(driver), client };
};

/** Objects of one bucket. A put is atomic, also a streamed one: without all of its bytes there is no object. */
export const createS3Store = (address: string): Store => {
  const url = new URL(address);
  let opened: Promise<Opened> | undefined;
  const open = () => (opened ??= opening(url));
  return {
    disk: async () => (await open()).disk,
    put: async (key, bytes, contentType) => (await open()).disk.put(key, bytes, { contentType }),
    putFile: async (key, path, contentType) => {
      const { disk } = await open();
      const { size } = await stat(path);
      if (size === 0) return disk.put(key, new Uint8Array(), { contentType });
      const send = () => disk.putStream(key, createReadStream(path), { contentType, contentLength: size });
      try {
        await send();
      } catch (error) {
        // The SDK repeats everything but streams.
        if (!isReset(error)) throw error;
        await send();
      }
    },
    open: async (key: string, range?: ByteRange) => {
      const [{ client }, { GetObjectCommand }] = await Promise.all([open(), import('@aws-sdk/client-s3')]);
      const part = range ? { Range: `bytes=${range.first}-${range.last}` } : {};
      try {
        const { Body } = await client.send(
          new GetObjectCommand({ Bucket: url.pathname.slice(1), Key: key, ...part }),
        );
        if (!(Body instanceof Readable)) throw new Error(`no content of ${key}`);
        return Body;
      } catch (error) {
        if (isAbsent(error)) return null;
        throw error;
      }
    },
    // A put is atomic, and there are no folders.
    sweep: () => Promise.resolve({ files: 0, folders: 0 }),
  };
};
