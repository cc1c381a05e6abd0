/** Clients that disconnect in the middle of a request: no error in the log, no file on disk. */
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { defineQuery } from '#api/define.ts';
import { until } from '#test/support/until.ts';
import { testApi } from '../api.ts';
import type { TestApi } from '../api.ts';

const logged: { level: number; msg: string }[] = [];
const log = pino(
  { level: 'debug' },
  new Writable({
    write: (chunk: Buffer, _, done) => {
      logged.push(JSON.parse(chunk.toString()) as (typeof logged)[number]);
      done();
    },
  }),
);

const keepAny = defineQuery({
  name: 'keepAny',
  spec: ['test'],
  summary: 'Accepts a picture from anyone.',
  auth: 'none',
  devKey: null,
  upload: {
    maxBytes: 5_000_000,
    types: ['image/png'],
    tooLarge: 'FILE_TOO_LARGE',
    wrongType: 'UNSUPPORTED_TYPE',
  },
  dialect: 'flat',
  errors: { FILE_TOO_LARGE: 413, UNSUPPORTED_TYPE: 415 },
  input: z.object({}),
  output: z.strictObject({}),
  tx: 'read',
  handler: async () => ({}),
});

let api: TestApi;
let picture: Buffer;
beforeAll(async () => {
  api = await testApi({ log, operations: [keepAny] });
  const png = sharp({ create: { width: 40, height: 40, channels: 3, background: '#123456' } }).png();
  picture = Buffer.concat([await png.toBuffer(), Buffer.alloc(100_000)]);
});
afterAll(() => api.close());

const head = (path: string, type: string, bytes: number) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${bytes}\r\n\r\n`;
const part = (rest: string) => `--b\r\nContent-Disposition: form-data; ${rest}\r\n\r\n`;

/** Number of completed calls of `/api`. */
const answeredCalls = async (): Promise<number> => {
  const counts = (await api.running.metrics.register.metrics()).matchAll(
    /^efb_requests_total\{.*\} (\d+)$/gm,
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
};
const abortedForms = () => Promise.resolve(logged.filter(({ msg }) => msg === 'request aborted').length);

/**
 * Sends part of a request, disconnects when the server has `reached` a state, and waits until the request is
 * over.
 */
const leave = async (sent: Buffer, count: () => Promise<number>, reached: () => Promise<boolean>) => {
  const before = await count();
  const begun = once(api.running.server, 'request') as Promise<[IncomingMessage]>;
  const client = connect(api.running.port, '127.0.0.1');
  client.write(sent);
  const [{ socket }] = await begun;
  await until('the server has read it', async () => socket.bytesRead === sent.length && (await reached()));
  client.resetAndDestroy();
  await until('the request is over', async () => (await count()) > before);
};

test.each([
  ['JSON', '/api', 'application/json', '{"query"', answeredCalls],
  ['a web form', '/reset-password', 'application/x-www-form-urlencoded', 'token=', abortedForms],
])('A client that disconnects during %s causes no error', async (_, path, type, text, count) => {
  await leave(Buffer.from(head(path, type, 900) + text), count, () => Promise.resolve(true));
  expect(logged.filter(({ level }) => level >= 40)).toEqual([]);
});

test('A client that disconnects during an upload causes no error and leaves no file', async () => {
  const folder = join(api.context.config.DATA_DIR, 'uploads');
  const files = () => readdir(folder).catch(() => [] as string[]);
  const fields = `${part('name="query"')}keepAny\r\n${part('name="file"; filename="a.png"\r\nContent-Type: image/png')}`;
  const sent = Buffer.concat([
    Buffer.from(head('/api', 'multipart/form-data; boundary=b', 4_000_000) + fields),
    picture,
  ]);
  await leave(sent, answeredCalls, async () => (await files()).length === 1);
  await until('the file is removed', async () => (await files()).length === 0);
  expect(logged.filter(({ level }) => level >= 40)).toEqual([]);
});
