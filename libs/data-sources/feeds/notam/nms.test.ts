import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHttp } from '#platform/http.ts';
import { SourceError } from '#domain/source-error.ts';
import { aixmFile, aixmMessage, closure, geoJsonFeature, nmsAnswer } from '#test/support/nms.ts';
import { needsInitialLoad, nmsDelta, nmsInitialLoad } from './nms.ts';
import type { NmsAccess } from './nms.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const secret = 'very-secret-client';
let server: Server;
let base = '';
/** The same server under another name, because the service keeps its files on another host. */
let signed = '';
let log: string[] = [];
let lists: Handler;
let files: Handler;
let waits: number[];

const load = gzipSync(aixmFile([aixmMessage(closure(1)), aixmMessage(closure(2))]));

beforeEach(async () => {
  log = [];
  waits = [];
  lists = (_request, response) => response.end(nmsAnswer([geoJsonFeature(closure(1))]));
  files = (_request, response) => response.end(load);
  server = createServer((request, response) => {
    const url = request.url ?? '';
    log.push(`${request.method} ${url.split('?')[0]} ${request.headers.authorization?.split(' ')[0] ?? '-'}`);
    if (url.startsWith('/v1/auth/token')) {
      const right = `Basic ${Buffer.from(`me:${secret}`).toString('base64')}`;
      if (request.headers.authorization !== right) response.writeHead(401).end();
      // The number is text, as sent by the service.
      else response.end(JSON.stringify({ access_token: 'token', expires_in: '1799' }));
    } else if (url.startsWith('/nmsapi/v1/notams/il'))
      response.writeHead(302, { location: `${signed}/signed/file?sig=abc` }).end();
    else if (url.startsWith('/nmsapi')) lists(request, response);
    else files(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  base = `http://127.0.0.1:${port}`;
  signed = `http://localhost:${port}`;
});

afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const access = (more: Partial<NmsAccess> = {}): NmsAccess => ({
  baseUrl: `${base}/`,
  clientId: 'me',
  clientSecret: secret,
  http: createHttp(pino({ level: 'silent' })),
  signal: new AbortController().signal,
  timeoutMs: 60_000,
  maxBytes: 1_000_000,
  wait: (ms) => {
    waits.push(ms);
    return Promise.resolve();
  },
  ...more,
});
const delta = (more?: Partial<NmsAccess>) => nmsDelta(access(more), new Date(0));

const failure = async (work: Promise<unknown>): Promise<SourceError> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof SourceError) return error;
    throw error;
  }
  throw new Error('did not fail');
};

describe('changes', () => {
  test('A token is fetched first, and a second later the changes', async () => {
    expect((await delta()).records).toHaveLength(1);
    expect(log).toEqual(['POST /v1/auth/token Basic', 'GET /nmsapi/v1/notams Bearer']);
    expect(waits).toEqual([1_050]);
  });

  test.each<[string, Handler, Partial<SourceError>]>([
    [
      '429',
      (_q, r) => r.writeHead(429, { 'retry-after': '120' }).end(),
      { code: 'RATE_LIMITED', retryAfterSeconds: 120 },
    ],
    ['404', (_q, r) => r.writeHead(404).end(), { code: 'NOT_FOUND' }],
    ['500', (_q, r) => r.writeHead(500).end(), { code: 'STATUS' }],
    [
      '302 to another host',
      (_q, r) => r.writeHead(302, { location: 'http://localhost/login' }).end(),
      { code: 'REDIRECT' },
    ],
    ['HTML with status 200', (_q, r) => r.end('<html>login</html>'), { code: 'HTML' }],
    ['401', (_q, r) => r.writeHead(401).end(), { code: 'STATUS' }],
    [
      'half an answer',
      (_q, r) => r.end(nmsAnswer([geoJsonFeature(closure(1))]).slice(0, 300)),
      { code: 'CORRUPT' },
    ],
    ['connection reset', (q) => q.socket.destroy(), { code: 'CONNECTION' }],
    ['too large', (_q, r) => r.end('x'.repeat(2_000_000)), { code: 'TOO_LARGE' }],
  ])('%s', async (_name, handler, expected) => {
    lists = handler;
    const error = await failure(delta());
    expect(error).toMatchObject(expected);
    expect(error.message).not.toContain(secret);
    expect(error.message).not.toContain('\n');
  });

  test('A slow answer times out with an error', async () => {
    lists = (_request, response) => void response.write('{');
    expect(await failure(delta({ timeoutMs: 300 }))).toMatchObject({ code: 'TIMEOUT' });
  });

  test('Wrong credentials are an error that names the status', async () => {
    const error = await failure(delta({ clientSecret: 'wrong' }));
    expect(error.message).toMatch(/auth\/token answered with status 401/);
  });
});

describe('initial load', () => {
  test('The initial load follows to the signed file without the token', async () => {
    const { records } = await nmsInitialLoad(access());
    expect(records.map((r) => r.key)).toEqual(['XYZ:2026:02/001', 'XYZ:2026:02/002']);
    expect(log.at(-1)).toBe('GET /signed/file -');
  });

  test.each<[string, Handler, string]>([
    ['truncated gzip', (_q, r) => r.end(load.subarray(0, load.length - 20)), 'TRUNCATED'],
    [
      'damaged gzip',
      (_q, r) => r.end(Buffer.concat([load.subarray(0, 30), Buffer.alloc(40, 7), load.subarray(70)])),
      'CORRUPT',
    ],
    [
      'truncated XML',
      (_q, r) => r.end(gzipSync(aixmFile([aixmMessage(closure(1))]).slice(0, -60))),
      'TRUNCATED',
    ],
    ['HTML', (_q, r) => r.end('<html><body>expired</body></html>'), 'HTML'],
    ['connection dropped', (_q, r) => void r.write(load.subarray(0, 100), () => r.destroy()), 'CONNECTION'],
    ['no message', (_q, r) => r.end(gzipSync(aixmFile([]))), 'CORRUPT'],
    ['expired link', (_q, r) => r.writeHead(403).end(), 'REDIRECT'],
  ])('%s', async (_name, handler, code) => {
    files = handler;
    const error = await failure(nmsInitialLoad(access()));
    expect(error.code).toBe(code);
    expect(error.message).not.toContain('sig=abc');
  });

  test('The initial load is needed at first and after a gap of 23 hours', () => {
    const now = new Date('2026-02-02T00:00:00Z');
    expect(needsInitialLoad(null, now)).toBe(true);
    expect(needsInitialLoad(new Date('2026-02-01T00:30:00Z'), now)).toBe(true);
    expect(needsInitialLoad(new Date('2026-02-01T02:00:00Z'), now)).toBe(false);
  });
});
