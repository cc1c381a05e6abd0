/** Floods in small, with the limits of production; `npm run bench -- abuse` runs them at full size. */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { gzipSync } from 'node:zlib';
import { verify } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { defineQuery } from '#api/define.ts';
import { userBytesLimit } from '#api/limits.ts';
import { inParallel, keepAlive, send } from '#test/support/abuse/clients.ts';
import type { Message, Sent } from '#test/support/abuse/clients.ts';
import { testApi } from '../api.ts';
import type { TestApi, TestUser } from '../api.ts';
import { isDeep } from '../support/deep.ts';
import { logBytes } from '../support/request-log.ts';

vi.mock(import('@node-rs/argon2'), { spy: true });

const largeBytes = 4_400_000;

const keepText = defineQuery({
  name: 'keepText',
  spec: ['test'],
  summary: 'Takes a large document.',
  auth: 'jwt',
  devKey: null,
  maxBodyBytes: 4_718_592,
  dialect: 'flat',
  errors: {},
  input: z.object({ pad: z.string() }),
  output: z.strictObject({ characters: z.int() }),
  tx: 'read',
  handler: async ({ input }) => ({ characters: input.pad.length }),
});

let api: TestApi;
/** Serves an operation that accepts large bodies, too. */
let roomy: TestApi;
let user: TestUser;

beforeAll(async () => {
  const env = { RATE_LIMIT_SCALE: '1', TRUSTED_PROXIES: '1' };
  api = await testApi({ env });
  roomy = await testApi({ databaseUrl: api.context.databaseUrl, env, operations: [keepText] });
  user = await api.user();
});
afterAll(async () => {
  await roomy.close();
  await api.close();
});

const post = ({ url }: TestApi, message: Message): Promise<Sent> =>
  send(`${url}/api`, { ...message, headers: { 'content-type': 'application/json', ...message.headers } });

/** The different outcomes of several large bodies on 8 connections. */
const flood = async (count: number, headers: Record<string, string>): Promise<string[]> => {
  const body = Buffer.from(JSON.stringify({ query: 'login', pad: 'x'.repeat(largeBytes) }));
  const agent = keepAlive(8);
  const length = { 'content-length': String(body.length) };
  const sent = await inParallel(count, 8, () =>
    post(api, { agent, body: [body], headers: { ...length, ...headers } }),
  );
  agent.destroy();
  return [...new Set(sent.map((each) => JSON.stringify(each)))].sort();
};

const refused = ['{"status":413,"code":"PAYLOAD_TOO_LARGE","broken":null}'];

describe('bodies larger than any operation accepts', () => {
  test('Each request of a flood is refused with an answer and leaves little in the log', async () => {
    const bytesOfLog = async () => {
      await api.running.services.requestLog.flush();
      return logBytes(api.context.postgres.db);
    };
    const logBefore = await bytesOfLog();
    expect(await flood(isDeep ? 40 : 8, { 'x-forwarded-for': '198.51.100.1' })).toEqual(refused);
    expect((await bytesOfLog()) - logBefore).toBeLessThan(400_000);
  });

  test('A valid token makes no difference', async () => {
    const headers = { authorization: `Bearer ${user.token}`, 'x-forwarded-for': '198.51.100.2' };
    expect(await flood(isDeep ? 20 : 4, headers)).toEqual(refused);
  });
});

describe('an operation that accepts large bodies', () => {
  const call = async (data: string, headers: Record<string, string> = {}): Promise<Sent> => {
    const { id, token } = await roomy.user();
    const text = `{"query":"keepText","data":${data}}`;
    const body = headers['content-encoding'] === 'gzip' ? gzipSync(text) : Buffer.from(text);
    const length =
      headers['transfer-encoding'] === 'chunked' ? {} : { 'content-length': String(body.length) };
    const ip = `203.0.113.${id % 250}`;
    return post(roomy, {
      headers: { ...length, authorization: `Bearer ${token}`, 'x-forwarded-for': ip, ...headers },
      body: [body],
    });
  };

  test('A large document is accepted with and without Content-Length, compressed or not', async () => {
    const data = JSON.stringify({ pad: 'x'.repeat(largeBytes) });
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }, { 'content-encoding': 'gzip' }])
      expect(await call(data, headers as Record<string, string>)).toEqual({
        status: 200,
        code: null,
        broken: null,
      });
  });

  test('A compressed body that is broken or expands beyond the limit is refused', async () => {
    const tooLarge = JSON.stringify({ pad: 'x'.repeat(20_000_000) });
    expect((await call(tooLarge, { 'content-encoding': 'gzip' })).status).toBe(413);
    const { token } = await roomy.user();
    const headers = { authorization: `Bearer ${token}`, 'content-encoding': 'gzip' };
    const cutOff = gzipSync(tooLarge).subarray(0, 1_000);
    for (const body of [cutOff, Buffer.from('not compressed at all')])
      expect(await post(roomy, { headers, body: [body] })).toEqual({
        status: 400,
        code: 'INVALID_JSON',
        broken: null,
      });
  });

  test('A body that would take long to parse is refused before parsing', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    for (const [data, status] of [
      [`{${'"k":1,'.repeat(450_000)}"k":1}`, 413],
      [`[${'{},'.repeat(1_000_000)}0]`, 413],
      ['['.repeat(2_000_000), 400],
    ] as const) {
      expect((await call(data)).status).toBe(status);
      expect((await call(data, { 'content-encoding': 'gzip' })).status).toBe(status);
    }
    const lengths = parse.mock.calls.map(([text]) => text.length);
    parse.mockRestore();
    expect(lengths.length).toBeGreaterThan(0);
    expect(Math.max(...lengths)).toBeLessThan(100_000);
  });

  test('A client that has used up its bytes for the minute is refused at 64 kB, with and without Content-Length, compressed or not', async () => {
    const { hostname, port } = new URL(roomy.url);
    const { id, token } = await roomy.user();
    const answered = async (headers: string, body: string | Buffer): Promise<string> => {
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST /api HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Forwarded-For: 198.51.100.6\r\n` +
          `Authorization: Bearer ${token}\r\n${headers}\r\n\r\n`,
      );
      socket.write(body);
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return String(chunk).slice(9, 12);
    };
    const begin = `{"query":"keepText","data":{"pad":"${'x'.repeat(70_000)}`;
    const packed = gzipSync(begin, { level: 0 });
    const inChunks = (bytes: Buffer) =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
    await roomy.running.services.rateLimiter.take(userBytesLimit, `user:${id}`, userBytesLimit.points);
    expect(
      await Promise.all([
        answered('Content-Length: 4000000', begin),
        answered('Transfer-Encoding: chunked', inChunks(Buffer.from(begin))),
        answered('Content-Encoding: gzip\r\nTransfer-Encoding: chunked', inChunks(packed)),
      ]),
    ).toEqual(['429', '429', '429']);
  });
});

test('Files sent to operations without uploads never reach the disk', async () => {
  const folders = async () => [
    await readdir(api.context.config.DATA_DIR),
    (await readdir(tmpdir())).filter((name) => /^\w{25}$/.test(name)),
  ];
  const before = await folders();
  const megabyte = Buffer.alloc(1_048_576, 'x');
  const part = 'Content-Disposition: form-data; name=';
  const form = function* (query: string) {
    yield `--limit\r\n${part}"query"\r\n\r\n${query}\r\n--limit\r\n${part}"file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`;
    for (let i = 0; i < 5; i += 1) yield megabyte;
    yield '\r\n--limit--\r\n';
  };
  const agent = keepAlive(6);
  const sent = await inParallel(6, 6, (i) =>
    post(api, {
      agent,
      headers: { 'content-type': 'multipart/form-data; boundary=limit', 'x-forwarded-for': '198.51.100.4' },
      body: form(i % 2 === 0 ? 'airportStatus' : 'refreshUserData'),
    }),
  );
  agent.destroy();
  expect(sent.map(({ status, code }) => `${status} ${code}`).sort()).toEqual([
    ...Array.from({ length: 3 }, () => '400 UNEXPECTED_FILE'),
    ...Array.from({ length: 3 }, () => '401 AUTH_REQUIRED'),
  ]);
  expect(await folders()).toEqual(before);
});

test('When one IP address tries 60 accounts, only 50 passwords are verified', async () => {
  const devKey = await api.key();
  const verified = vi.mocked(verify).mockClear().mockResolvedValue(false);
  const statuses: number[] = [];
  for (let i = 0; i < 60; i += 1) {
    const data = { email: `sprayed${i}@example.org`, password: 'not this one' };
    const headers = { 'x-forwarded-for': '198.51.100.5' };
    statuses.push((await api.call('login', { devKey, data, headers })).status);
  }
  expect(statuses).toEqual([
    ...Array.from({ length: 50 }, () => 401),
    ...Array.from({ length: 10 }, () => 429),
  ]);
  expect(verified).toHaveBeenCalledTimes(50);
});
