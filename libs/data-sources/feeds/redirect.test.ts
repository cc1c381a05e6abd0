import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createHttp } from '#platform/http.ts';
import { fetchSource } from './fetch.ts';
import type { FetchOptions } from './fetch.ts';

/** Redirect targets by path; all other paths return data. */
const redirects: Readonly<Record<string, (port: number) => string>> = {
  '/moved': () => '/new.txt',
  '/twice': () => '/moved',
  '/gone': () => '/nothing',
  '/elsewhere': (port) => `http://localhost:${port}/new.txt`,
  '/mail': () => 'mailto:x@example.org',
  '/nowhere': () => 'http://',
};

const seen: (string | undefined)[] = [];
const server = createServer((request, response) => {
  const path = request.url ?? '';
  seen.push(request.headers.authorization);
  const target = redirects[path]?.((server.address() as AddressInfo).port);
  if (target !== undefined) response.writeHead(302, { location: target }).end();
  else if (path === '/nothing') response.writeHead(404).end();
  else response.end('data');
});
let origin: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const options: FetchOptions = {
  http: createHttp(pino({ level: 'silent' })),
  signal: new AbortController().signal,
  maxBytes: 1_000,
  timeoutMs: 10_000,
};
const get = (path: string, more: Partial<FetchOptions> = {}) =>
  fetchSource(`${origin}${path}`, { ...options, ...more });

test('A redirect to the same host is followed once, and the new address is named', async () => {
  expect(await get('/moved')).toMatchObject({ kind: 'data', movedTo: `${origin}/new.txt` });
  expect(await get('/new.txt')).not.toHaveProperty('movedTo');
});

test('A redirect to a host of the configured sources is followed without the authorisation', async () => {
  seen.length = 0;
  const fetched = await get('/elsewhere', {
    hosts: new Set(['localhost']),
    headers: { authorization: 'Bearer x' },
  });
  expect(fetched).toMatchObject({
    kind: 'data',
    movedTo: expect.stringMatching(/^http:\/\/localhost:/) as string,
  });
  expect(seen).toEqual(['Bearer x', undefined]);
});

test.each([
  ['/twice', 'it redirects again', {}],
  ['/gone', 'it answers with 404', {}],
  ['/elsewhere', 'it is on another host', {}],
  ['/elsewhere', 'it is on another host', { hosts: new Set(['example.org']) }],
  ['/mail', 'it is not a web address', {}],
  ['/nowhere', 'it names no address', {}],
  ['/moved', 'only requests without a body are sent again', { method: 'POST' as const, form: { a: 'b' } }],
])('%s is refused: %s', async (path, why, more) => {
  await expect(get(path, more)).rejects.toMatchObject({
    code: 'REDIRECT',
    message: expect.stringContaining(why) as string,
  });
});
