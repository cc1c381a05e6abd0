/**
 * A server with the part of S3 that the service uses: put, get, a range, delete and pages of a listing, for one bucket and one key.
 *
 *   const s3 = await s3Server();
 *   createStorage({ DATA_DIR: '/nowhere', STORAGE_URL: s3.url });
 *   await s3.close();
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { randomUUID } from 'node:crypto';
import { testFolder } from '../harness.ts';

export interface S3Server {
  url: string;
  close: () => Promise<void>;
}

interface StoredObject {
  path: string;
  size: number;
  type: string;
}

const accessKey = 'TESTKEY';
const maxKeys = 1_000;

const errorOf = (code: string): string => `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`;

/** A page of sorted names without a folder, after the token, which is the last name of the previous page. */
const listing = (names: readonly string[], after: string): string => {
  const rest = names.filter((name) => !name.includes('/') && name > after).toSorted();
  const page = rest.slice(0, maxKeys);
  const isTruncated = rest.length > page.length;
  const contents = page.map((name) => `<Contents><Key>${name}</Key></Contents>`).join('');
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${contents}${next}</ListBucketResult>`;
};

export const s3Server = async (): Promise<S3Server> => {
  const folder = await testFolder();
  const objects = new Map<string, StoredObject>();

  const put = async (request: IncomingMessage, key: string): Promise<void> => {
    const path = join(folder, randomUUID());
    const file = createWriteStream(path);
    // Rejects for a truncated body; then no object is created.
    await pipeline(request, file);
    objects.set(key, { path, size: file.bytesWritten, type: request.headers['content-type'] ?? '' });
  };

  const get = async (request: IncomingMessage, response: ServerResponse, stored: StoredObject) => {
    const { path, size, type } = stored;
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
    const start = Number(range?.[1] ?? 0);
    const end = Math.min(size, range?.[2] ? Number(range[2]) + 1 : size) - 1;
    response.writeHead(range ? 206 : 200, {
      'content-length': end - start + 1,
      'content-type': type,
      ...(range ? { 'content-range': `bytes ${start}-${end}/${size}` } : {}),
    });
    if (size === 0) response.end();
    else await pipeline(createReadStream(path, { start, end }), response);
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<unknown> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
    const [, bucket, ...names] = decodeURIComponent(pathname).split('/');
    const key = names.join('/');
    const send = (status: number, xml = '') => {
      request.resume();
      response.writeHead(status, { 'content-type': 'application/xml' }).end(xml);
    };
    if (!request.headers.authorization?.includes(`Credential=${accessKey}/`))
      return send(403, errorOf('InvalidAccessKeyId'));
    if (bucket !== 'documents') return send(404, errorOf('NoSuchBucket'));
    if (request.method === 'PUT') {
      await put(request, key);
      return send(200);
    }
    if (request.method === 'DELETE') {
      objects.delete(key);
      return send(204);
    }
    if (key === '')
      return send(200, listing([...objects.keys()], searchParams.get('continuation-token') ?? ''));
    const stored = objects.get(key);
    return stored ? get(request, response, stored) : send(404, errorOf('NoSuchKey'));
  };

  const server = createServer((request, response) => {
    // The client disconnected; in all other cases it sees the connection close.
    answer(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `s3://${accessKey}:secret@127.0.0.1:${port}/documents?region=eu-central-1&tls=0`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
