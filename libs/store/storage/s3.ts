import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type * as Sdk from '@aws-sdk/client-s3';
import type { FileStorage } from '#domain/ports.ts';

/** The server closed the connection, often an idle one at the moment in which it was used again. */
const isReset = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE')) || isReset(error.cause));

const clientOf = (sdk: typeof Sdk, url: URL): Sdk.S3Client =>
  new sdk.S3Client({
    // Without keys in the URL the SDK looks for them: environment, shared file, workload identity, role of the machine.
    ...(url.username === ''
      ? {}
      : {
          credentials: {
            accessKeyId: decodeURIComponent(url.username),
            secretAccessKey: decodeURIComponent(url.password),
          },
        }),
    endpoint: `${url.searchParams.get('tls') === '0' ? 'http' : 'https'}://${url.host}`,
    forcePathStyle: true,
    region: url.searchParams.get('region') ?? 'us-east-1',
    // Some compatible servers do not accept checksums that follow the body.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });

/** Objects of one bucket. A put is atomic, also a streamed one: without all of its bytes there is no object. */
export const createS3Store = (address: string): FileStorage => {
  const url = new URL(address);
  const bucket = { Bucket: url.pathname.slice(1) };
  // The SDK is loaded on first use: most installations keep files on disk.
  let opened: Promise<{ sdk: typeof Sdk; client: Sdk.S3Client }> | undefined;
  const open = () =>
    (opened ??= import('@aws-sdk/client-s3').then((sdk) => ({ sdk, client: clientOf(sdk, url) })));

  const put = async (
    object: Pick<Sdk.PutObjectCommandInput, 'Key' | 'Body' | 'ContentType' | 'ContentLength'>,
  ): Promise<void> => {
    const { sdk, client } = await open();
    await client.send(new sdk.PutObjectCommand({ ...bucket, ...object }));
  };

  /** Null for an absent object. */
  const bodyOf = async (key: string, part: { Range?: string } = {}) => {
    const { sdk, client } = await open();
    try {
      const { Body: body } = await client.send(new sdk.GetObjectCommand({ ...bucket, Key: key, ...part }));
      if (!(body instanceof Readable)) throw new Error(`no content of ${key}`);
      return body;
    } catch (error) {
      if (error instanceof sdk.NoSuchKey) return null;
      throw error;
    }
  };

  return {
    put: (key, bytes, contentType) => put({ Key: key, Body: bytes, ContentType: contentType }),
    putFile: async (key, path, contentType) => {
      const { size } = await stat(path);
      const head = { Key: key, ContentType: contentType };
      if (size === 0) return put({ ...head, Body: new Uint8Array() });
      const send = () => put({ ...head, Body: createReadStream(path), ContentLength: size });
      try {
        await send();
      } catch (error) {
        // The SDK repeats everything except streams.
        if (!isReset(error)) throw error;
        await send();
      }
    },
    get: async (key) => (await bodyOf(key))?.transformToByteArray() ?? null,
    open: (key, range) => bodyOf(key, range ? { Range: `bytes=${range.first}-${range.last}` } : {}),
    delete: async (key) => {
      const { sdk, client } = await open();
      await client.send(new sdk.DeleteObjectCommand({ ...bucket, Key: key }));
    },
    list: async () => {
      const { sdk, client } = await open();
      const pages = sdk.paginateListObjectsV2({ client }, { ...bucket, Delimiter: '/' });
      const contents = (await Array.fromAsync(pages)).flatMap((page) => page.Contents ?? []);
      return contents.flatMap((object) => object.Key ?? []);
    },
    // A put is atomic, and there are no folders.
    sweep: () => Promise.resolve({ files: 0, folders: 0 }),
  };
};
