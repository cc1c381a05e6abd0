/** Files: permission is checked before reading, size and type while streaming. */
import { connect } from 'node:net';
import { mkdir, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { defineQuery } from '#api/define.ts';
import { sweepUploads } from '#api/http/uploads.ts';
import { until } from '#test/support/until.ts';
import { testApi } from '../api.ts';
import type { TestApi, TestUser } from '../api.ts';

const maxBytes = 200_000;

const keep = defineQuery({
  name: 'keepPicture',
  spec: ['test'],
  summary: 'Takes a picture.',
  auth: 'jwt',
  devKey: null,
  limits: [{ name: 'keepPicture', points: 10_000, perSeconds: 3600, by: 'user', isFixed: true }],
  upload: { maxBytes, types: ['image/png'], tooLarge: 'FILE_TOO_LARGE', wrongType: 'UNSUPPORTED_TYPE' },
  dialect: 'flat',
  errors: { FILE_TOO_LARGE: 413, UNSUPPORTED_TYPE: 415, MISSING_FILE: 400, MISSING_FIELD: 400 },
  input: z.object({ title: z.string({ error: 'MISSING_FIELD' }).max(20) }),
  output: z.strictObject({ title: z.string(), bytes: z.int(), type: z.string(), start: z.string() }),
  tx: 'read',
  handler: async ({ input, file, fail }) => {
    if (!file) throw fail('MISSING_FILE');
    const content = await readFile(file.path);
    const { size } = await stat(file.path);
    return { title: input.title, bytes: size, type: file.type, start: content.toString('hex', 0, 4) };
  },
});

let api: TestApi;
let user: TestUser;
let png: Buffer;
beforeAll(async () => {
  api = await testApi({ operations: [keep] });
  user = await api.user();
  png = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#123456' } })
    .png()
    .toBuffer();
});
afterAll(() => api.close());

const send = async (
  file: Buffer,
  { query = 'keepPicture', data = { title: 'mine' } as unknown, token = user.token, fileFirst = false } = {},
) => {
  const form = new FormData();
  const attach = () => form.set('file', new Blob([new Uint8Array(file)], { type: 'image/png' }), 'a.png');
  if (fileFirst) attach();
  form.set('query', query);
  form.set('data', JSON.stringify(data));
  if (!fileFirst) attach();
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` };
  const response = await api.fetch('/api', { method: 'POST', body: form, headers });
  const body = (await response.json()) as { error?: { code: string; message: string; details?: string[] } };
  return { status: response.status, code: body.error?.code, body };
};

const kept = async (): Promise<string[]> => {
  try {
    return await readdir(join(api.context.config.DATA_DIR, 'uploads'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
};

const large = () => Buffer.concat([png, Buffer.alloc(maxBytes)]);

describe('operations that declare an upload', () => {
  test('The handler gets the complete file, which is removed afterwards', async () => {
    expect(await send(png)).toMatchObject({
      status: 200,
      body: { title: 'mine', bytes: png.length, type: 'image/png', start: '89504e47' },
    });
    const exact = Buffer.concat([png, Buffer.alloc(maxBytes - png.length)]);
    expect(await send(exact)).toMatchObject({ status: 200, body: { bytes: maxBytes } });
    expect(await kept()).toEqual([]);
  });

  test('A file over the declared size is refused with the declared code and leaves no file behind', async () => {
    expect(await send(large())).toMatchObject({ status: 413, code: 'FILE_TOO_LARGE' });
    expect(await kept()).toEqual([]);
  });

  test('The file type is detected by content, not by name or header', async () => {
    expect(await send(Buffer.from('GIF89a, according to the file'))).toMatchObject({
      status: 415,
      code: 'UNSUPPORTED_TYPE',
    });
    expect(await send(Buffer.alloc(0))).toMatchObject({ status: 415, code: 'UNSUPPORTED_TYPE' });
    expect(await kept()).toEqual([]);
  });

  test('Credentials and input are checked before the file is read', async () => {
    expect(await send(large(), { token: '' })).toMatchObject({ status: 401, code: 'AUTH_REQUIRED' });
    expect(await send(large(), { data: {} })).toMatchObject({ status: 400, code: 'MISSING_FIELD' });
    expect(await send(large(), { query: 'keepPictur' })).toMatchObject({
      status: 400,
      code: 'UNKNOWN_QUERY',
    });
    expect(await kept()).toEqual([]);
  });

  test('Form fields must come before the file', async () => {
    const answer = await send(png, { fileFirst: true });
    expect(answer).toMatchObject({ status: 400, code: 'MISSING_QUERY' });
    expect(answer.body.error?.message).toContain('before the file');
  });

  test('A field after the file is named, even if it also came before it', async () => {
    const form = new FormData();
    form.set('query', 'keepPicture');
    form.append('data', '{"title":"one"}');
    form.set('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'a.png');
    form.append('data', '{"title":"two"}');
    const response = await api.fetch('/api', {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${user.token}` },
    });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { code: 'INVALID_INPUT', details: ['data: must come before the file in the form'] } },
    ]);
  });

  test('A file sent as text is named', async () => {
    const form = new FormData();
    form.set('query', 'keepPicture');
    form.set('data', '{"title":"one"}');
    form.set('file', 'only text');
    const response = await api.fetch('/api', {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${user.token}` },
    });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { code: 'INVALID_INPUT', details: ['file: must be sent as a file, with a file name'] } },
    ]);
  });

  test('A form without a file reaches the handler', async () => {
    const form = new FormData();
    form.set('query', 'keepPicture');
    form.set('data', '{"title":"none"}');
    const response = await api.fetch('/api', {
      method: 'POST',
      body: form,
      headers: { authorization: `Bearer ${user.token}` },
    });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { code: 'MISSING_FILE' } },
    ]);
  });
});

test('Two files per account are received while a third waits, and a client that disconnects frees its slot', async () => {
  const { hostname, port } = new URL(api.url);
  const field = (name: string, value: string) =>
    `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const begun = () => {
    const socket = connect(Number(port), hostname);
    const file = `--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: image/png\r\n\r\n`;
    socket.write(
      `POST /api HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.token}\r\nContent-Length: 150000\r\n` +
        `Content-Type: multipart/form-data; boundary=b\r\n\r\n${field('query', 'keepPicture')}${field('data', '{"title":"half"}')}${file}`,
    );
    socket.write(Buffer.concat([png, Buffer.alloc(100_000)]));
    return socket;
  };
  const sockets = [begun(), begun()];
  await until('two files are received', async () => (await kept()).length === 2);
  const request = once(api.running.server, 'request');
  sockets.push(begun());
  await request;
  const closed = Promise.all(sockets.map((socket) => once(socket, 'close')));
  await api.call('weather', { data: { icao: 'KJFK' } });
  expect(await kept()).toHaveLength(2);
  for (const socket of sockets) socket.destroy();
  await closed;
  expect(await send(png)).toMatchObject({ status: 200 });
  expect(await send(png)).toMatchObject({ status: 200 });
  await until('no file is left', async () => (await kept()).length === 0);
});

test('Files left by a killed process are removed at startup and every ten minutes, and newer ones are kept', async () => {
  const { config, clock } = api.context;
  const folder = join(config.DATA_DIR, 'uploads');
  await mkdir(folder, { recursive: true });
  const write = async (name: string, ageSeconds: number) => {
    await writeFile(join(folder, name), 'part of a file');
    const time = new Date(clock.now().getTime() - ageSeconds * 1_000);
    await utimes(join(folder, name), time, time);
  };
  await write('old', 3_601);
  await write('young', 60);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const end = await sweepUploads({ ...api.context, pieces: api.running.services.pieces });
  expect(await kept()).toEqual(['young']);
  await write('old', 3_601);
  vi.advanceTimersByTime(600_000);
  await until('the next sweep', async () => (await kept()).length === 1);
  expect(await kept()).toEqual(['young']);
  end();
  vi.useRealTimers();
  await rm(join(folder, 'young'));
});

describe('operations that declare no upload', () => {
  test('A file is refused with 400 while most of it has not been sent', async () => {
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    const boundary = 'limit';
    const head = [
      `--${boundary}\r\nContent-Disposition: form-data; name="query"\r\n\r\nairportStatus`,
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\nContent-Type: image/png\r\n\r\n`,
    ].join('\r\n');
    socket.write(
      `POST /api HTTP/1.1\r\nHost: x\r\nContent-Length: 52428800\r\nContent-Type: multipart/form-data; boundary=${boundary}\r\n\r\n${head}0123456789`,
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(answer.toString()).toMatch(/^HTTP\/1.1 400 [\s\S]*UNEXPECTED_FILE/);
    expect(await kept()).toEqual([]);
  });

  test('A JSON body over the declared size is refused with 413', async () => {
    const answer = await api.call('refreshUserData', {
      token: user.token,
      data: { pad: 'x'.repeat(300_000) },
    });
    expect(answer).toMatchObject({ status: 413, body: { error: { code: 'PAYLOAD_TOO_LARGE' } } });
  });
});
