import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHttp } from '#platform/http.ts';
import { SourceError } from '#domain/source-error.ts';
import { aixmFile, aixmMessage, closure, geoJsonFeature, nmsAnswer } from './fixtures/nms.ts';
import { nmsTransport } from './nms-transport.ts';
import { createNmsClient, needsInitialLoad } from './nms.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const secret = 'very-secret-client';
let server: Server;
let base = '';
let log: string[] = [];
let tokens = 0;
let lists: Handler;
let files: Handler;
let waits: number[] = [];

const load = gzipSync(aixmFile([aixmMessage(closure(1)), aixmMessage(closure(2))]));

beforeEach(async () => {
  log = [];
  waits = [];
  tokens = 0;
  lists = (_request, response) => response.end(nmsAnswer([geoJsonFeature(closure(1))]));
  files = (_request, response) => response.end(load);
  server = createServer((request, response) => {
    const url = request.url ?? '';
    log.push(`${request.method} ${url.split('?')[0]} ${request.headers.authorization?.split(' ')[0] ?? '-'}`);
    if (url.startsWith('/v1/auth/token')) {
      tokens += 1;
      const right = `Basic ${Buffer.from(`me:${secret}`).toString('base64')}`;
      if (request.headers.authorization !== right) response.writeHead(401).end();
      // The number is text, as sent by the service.
      else response.end(JSON.stringify({ access_token: `token-${tokens}`, expires_in: '1799' }));
    } else if (url.startsWith('/nmsapi/v1/notams/il'))
      response.writeHead(302, { location: '/signed/file?sig=abc' }).end();
    else if (url.startsWith('/nmsapi')) lists(request, response);
    else files(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

let clock = 0;
const client = (more: { timeoutMs?: number; clientSecret?: string; maxAnswerBytes?: number } = {}) =>
  createNmsClient({
    baseUrl: `${base}/`,
    clientId: 'me',
    clientSecret: more.clientSecret ?? secret,
    transport: nmsTransport(
      createHttp(pino({ level: 'silent' })),
      new AbortController().signal,
      more.timeoutMs ?? 60_000,
    ),
    now: () => clock,
    wait: (ms) => {
      waits.push(ms);
      clock += ms;
      return Promise.resolve();
    },
    ...(more.maxAnswerBytes === undefined ? {} : { maxAnswerBytes: more.maxAnswerBytes }),
  });

const failure = async (work: Promise<unknown>): Promise<SourceError> => {
  try {
    await work;
  } catch (error) {
    if (error instanceof SourceError) return error;
    throw error;
  }
  throw new Error('did not fail');
};

describe('token and changes', () => {
  test('One token serves many requests, one a second', async () => {
    const nms = client();
    expect((await nms.delta(new Date(0))).records).toHaveLength(1);
    expect((await nms.delta(new Date(0))).records).toHaveLength(1);
    expect(log).toEqual([
      'POST /v1/auth/token Basic',
      'GET /nmsapi/v1/notams Bearer',
      'GET /nmsapi/v1/notams Bearer',
    ]);
    expect(waits.every((ms) => ms > 1_000)).toBe(true);
    expect(waits).toHaveLength(2);
  });

  test('A token about to expire is replaced', async () => {
    const nms = client();
    await nms.delta(new Date(0));
    clock += 1_760_000;
    await nms.delta(new Date(0));
    expect(tokens).toBe(2);
  });

  test('A refused token is replaced once; a second refusal is an error', async () => {
    let refused = 0;
    lists = (_request, response) => {
      refused += 1;
      if (refused === 1) response.writeHead(401).end();
      else response.end(nmsAnswer([]));
    };
    expect((await client().delta(new Date(0))).records).toEqual([]);
    expect(tokens).toBe(2);
    lists = (_request, response) => response.writeHead(401).end();
    expect(await failure(client().delta(new Date(0)))).toMatchObject({ code: 'STATUS' });
  });

  test.each<[string, Handler, Partial<SourceError>]>([
    [
      '429',
      (_q, r) => r.writeHead(429, { 'retry-after': '120' }).end(),
      { code: 'RATE_LIMITED', retryAfterSeconds: 120 },
    ],
    ['404', (_q, r) => r.writeHead(404).end(), { code: 'NOT_FOUND' }],
    ['500', (_q, r) => r.writeHead(500).end(), { code: 'STATUS' }],
    ['302 to a login page', (_q, r) => r.writeHead(302, { location: '/login' }).end(), { code: 'REDIRECT' }],
    ['HTML with status 200', (_q, r) => r.end('<html>login</html>'), { code: 'CORRUPT' }],
    [
      'half an answer',
      (_q, r) => r.end(nmsAnswer([geoJsonFeature(closure(1))]).slice(0, 300)),
      { code: 'CORRUPT' },
    ],
    ['connection reset', (q) => q.socket.destroy(), { code: 'CONNECTION' }],
    ['too large', (_q, r) => r.end('x'.repeat(2_000_000)), { code: 'TOO_LARGE' }],
  ])('%s', async (_name, handler, expected) => {
    lists = handler;
    const error = await failure(client({ maxAnswerBytes: 1_000_000 }).delta(new Date(0)));
    expect(error).toMatchObject(expected);
    expect(error.message).not.toContain(secret);
    expect(error.message).not.toContain('\n');
  });

  test('A slow answer times out with an error', async () => {
    lists = (_request, response) => void response.write('{');
    expect(await failure(client({ timeoutMs: 300 }).delta(new Date(0)))).toMatchObject({ code: 'TIMEOUT' });
  });

  test('Wrong credentials are an error that names the status', async () => {
    const error = await failure(client({ clientSecret: 'wrong' }).delta(new Date(0)));
    expect(error.message).toMatch(/auth\/token answered with status 401/);
  });
});

describe('initial load', () => {
  test('Follows to the signed file without the token', async () => {
    const { records } = await client().initialLoad();
    expect(records.map((r) => r.key)).toEqual(['XYZ:2026:02/001', 'XYZ:2026:02/002']);
    expect(log.at(-1)).toBe('GET /signed/file -');
  });

  test.each<[string, Handler, string]>([
    ['truncated gzip', (_q, r) => r.end(load.subarray(0, load.length - 20)), 'TRUNCATED'],
    [
      'damaged gzip',
      (_q, r) => r.end(Buffer.concat([load.subarray(0, 30), Buffer.alloc(40, 7), load.subarray(70)])),
      'TRUNCATED',
    ],
    [
      'truncated XML',
      (_q, r) => r.end(gzipSync(aixmFile([aixmMessage(closure(1))]).slice(0, -60))),
      'TRUNCATED',
    ],
    ['HTML', (_q, r) => r.end('<html><body>expired</body></html>'), 'TRUNCATED'],
    ['connection dropped', (_q, r) => void r.write(load.subarray(0, 100), () => r.destroy()), 'CONNECTION'],
    ['no message', (_q, r) => r.end(gzipSync(aixmFile([]))), 'CORRUPT'],
    ['expired link', (_q, r) => r.writeHead(403).end(), 'STATUS'],
  ])('%s', async (_name, handler, code) => {
    files = handler;
    const error = await failure(client().initialLoad());
    expect(error.code).toBe(code);
    expect(error.message).not.toContain('sig=abc');
  });

  test('Is needed first and after a gap of 23 hours', () => {
    const now = new Date('2026-02-02T00:00:00Z');
    expect(needsInitialLoad(null, now)).toBe(true);
    expect(needsInitialLoad(new Date('2026-02-01T00:30:00Z'), now)).toBe(true);
    expect(needsInitialLoad(new Date('2026-02-01T02:00:00Z'), now)).toBe(false);
  });
});
