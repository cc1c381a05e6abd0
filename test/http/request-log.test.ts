/** Request log of a call: its body only if credentials were accepted, and never a secret. */
import { z } from 'zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineQuery } from '#api/define.ts';
import { testApi } from '../api.ts';
import type { TestApi, TestUser } from '../api.ts';
import { loggedCall } from '../support/request-log.ts';

const base = { spec: ['test'], summary: 'A test.', devKey: null, dialect: 'flat', errors: {} } as const;
const limits = [{ name: 'noting', points: 1_000, perSeconds: 3600, by: 'user' }] as const;
const inputSchema = z.object({ note: z.unknown().optional(), word: z.string().max(5_000_000).optional() });
const outputSchema = z.strictObject({ noted: z.unknown() });
const maxBodyBytes = 4_718_592;

/** Returns its input, for a user and for anyone. */
const operations = [
  defineQuery({
    ...base,
    name: 'noteOfUser',
    auth: 'jwt',
    maxBodyBytes,
    input: inputSchema,
    output: outputSchema,
    tx: 'read',
    handler: async ({ input: { note } }) => ({ noted: note ?? null }),
  }),
  defineQuery({
    ...base,
    name: 'noteOfAnyone',
    auth: 'none',
    limits,
    input: inputSchema,
    output: outputSchema,
    tx: 'read',
    handler: async ({ input: { note } }) => ({ noted: note ?? null }),
  }),
];

let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  api = await testApi({ operations });
  user = await api.user();
});
afterAll(() => api.close());

const rowOf = (answer: { headers: Headers }) => loggedCall(api, answer);
const requestOf = async (answer: { headers: Headers }) =>
  JSON.parse(String((await rowOf(answer)).request)) as Record<string, unknown>;

const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  api.fetch('/api', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${user.token}`, ...headers },
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  });

describe('an accepted call', () => {
  test('The body is stored redacted and with its identification (M-2.1.5, M-5.8)', async () => {
    const key = await api.key();
    const answer = await api.call('noteOfUser', {
      token: user.token,
      data: { word: 'hi', password: 'canary-2', deep: [{ resetToken: 'canary-3', PIN: 'canary-4' }] },
      body: { dev_key: key, api_key: 'canary-5' },
      headers: {
        'x-api-key': 'canary-7',
        cookie: 'canary-8',
        'user-agent': 'test',
        'x-request-id': 'test-request',
      },
    });
    expect(answer.status).toBe(200);
    const row = await rowOf(answer);
    expect(JSON.stringify(row)).not.toContain('canary');
    expect(JSON.stringify(row)).not.toContain(key);
    expect(row).toMatchObject({
      query: 'noteOfUser',
      status: 200,
      userId: user.id,
      requestId: 'test-request',
    });
    expect(JSON.parse(String(row.headers))).toMatchObject({
      'user-agent': 'test',
      'content-type': 'application/json',
    });
    expect(JSON.parse(String(row.request))).toEqual({
      query: 'noteOfUser',
      data: { word: 'hi', password: '[redacted]', deep: [{ resetToken: '[redacted]', PIN: '[redacted]' }] },
      dev_key: '[redacted]',
      api_key: '[redacted]',
    });
    expect(JSON.parse(String(row.response))).toMatchObject({ noted: null });
  });

  test('The body is stored even if the input is invalid', async () => {
    const answer = await api.call('noteOfUser', { token: user.token, data: { word: 7 } });
    expect(answer.status).toBe(400);
    expect(await requestOf(answer)).toEqual({ query: 'noteOfUser', data: { word: 7 } });
  });

  test('Bodies over 1 MB are truncated to valid JSON, and long base64 is replaced (M-8.24)', async () => {
    const screenshotPng = 'A'.repeat(4_096);
    const word = 'word '.repeat(300_000);
    const answer = await api.call('noteOfUser', { token: user.token, data: { word, screenshotPng } });
    const stored = String((await rowOf(answer)).request);
    expect(stored.length).toBeLessThanOrEqual(1_000_000);
    expect(JSON.parse(stored)).toMatchObject({ truncated: true });
    const small = await api.call('noteOfUser', { token: user.token, data: { word: 'hi', screenshotPng } });
    expect(String((await rowOf(small)).request)).toMatch(/4096 characters of base64/);
  });

  test('Calls with text that Postgres cannot store are still logged, whether in values, keys, headers or raw bytes', async () => {
    const texts = [
      '"\\u0000"',
      '"\\ud800"',
      '"\\udc00\\ud83d"',
      '{"\\u0000":1}',
      '{"\\udfff":["\\u0000\\ud800"]}',
    ];
    for (const text of texts) {
      const answer = await post(`{"query":"noteOfUser","data":{"note":${text},"word":"ok"}}`);
      expect([text, answer.status]).toEqual([text, 400]);
      expect([text, await requestOf(answer)]).toEqual([
        text,
        { query: 'noteOfUser', data: { note: JSON.parse(text) as unknown, word: 'ok' } },
      ]);
    }
    const bytes = Buffer.concat([Buffer.from('{"query":"noteOfUser","data":{"note":"'), Buffer.from([0xff])]);
    const raw = await post(new Uint8Array(bytes), { 'user-agent': 'caf\u00e9' });
    expect([raw.status, (await rowOf(raw)).errorCode]).toEqual([400, 'INVALID_JSON']);
  });
});

describe('a refused or unauthenticated call', () => {
  const sizeOnly = (bytes: number) => ({ isBodyKept: false, bytes });
  const sent = (query: string, data: unknown) => JSON.stringify({ query, data });

  test.each([
    ['noteOfAnyone', '', 200],
    ['noteOfUser', '', 401],
    ['noteOfUser', 'Bearer x', 401],
    ['login', '', 401],
    ['nothing', '', 400],
  ])('%s with "%s" is logged with only its body size', async (query, authorization, status) => {
    const body = sent(query, { note: 'canary-9' });
    const answer = await post(body, { authorization });
    expect(answer.status).toBe(status);
    const row = await rowOf(answer);
    expect(JSON.parse(String(row.request))).toEqual(sizeOnly(body.length));
    expect(row.userId).toBeNull();
    expect(String(row.headers) + String(row.request)).not.toContain('canary');
  });

  test('A user with a refused developer key and a form are logged without their bodies', async () => {
    const refused = await api.call('getUserMeta', { token: user.token, devKey: 'dk_wrong' });
    expect(refused.status).toBe(401);
    expect(await requestOf(refused)).toEqual(
      sizeOnly(JSON.stringify({ query: 'getUserMeta', devKey: 'dk_wrong' }).length),
    );
    const form = new FormData();
    form.set('query', 'noteOfUser');
    form.set('data', '{"note":"canary-9"}');
    const answer = await api.fetch('/api', { method: 'POST', body: form });
    expect(answer.status).toBe(401);
    expect(await requestOf(answer)).toEqual(sizeOnly('noteOfUser{"note":"canary-9"}'.length));
  });

  test('Nothing of an unread body is stored', async () => {
    const answer = await post('{', { authorization: '' });
    expect(answer.status).toBe(400);
    expect((await rowOf(answer)).request).toBeNull();
  });
});

test('Unknown operations and transport errors are logged, too, and log ids differ (M-2.1.5)', async () => {
  const first = await api.call('nothing like it');
  const second = await post('[]');
  expect(first.headers.get('x-svc-log-id')).not.toBe(second.headers.get('x-svc-log-id'));
  expect(await rowOf(first)).toMatchObject({ query: null, errorCode: 'UNKNOWN_QUERY', status: 400 });
  expect(await rowOf(second)).toMatchObject({ query: null, errorCode: 'INVALID_JSON', status: 400 });
});

test('The size of a body without Content-Length is logged, too', async () => {
  const chunks = [JSON.stringify({ query: 'noteOfAnyone', data: { note: 'x'.repeat(300_000) } })];
  const stream = () => new Blob(chunks).stream();
  expect((await post(stream())).status).toBe(413);
  expect((await post(stream(), { authorization: '' })).status).toBe(413);
});

test('Text that cannot be stored is refused with its path', async () => {
  const refuse = async (text: string) => {
    const answer = await post(`{"query":"noteOfUser","data":{"note":${text}}}`);
    return [answer.status, ((await answer.json()) as { error: { code: string; details: unknown } }).error];
  };
  const details = (line: string) => [400, { code: 'INVALID_INPUT', details: [line] }];
  expect(await refuse('[1,{"a":"x\\u0000"}]')).toMatchObject(
    details('note.1.a: contains the NUL character, which cannot be stored'),
  );
  expect(await refuse('{"a":{"\\ud800":1}}')).toMatchObject(
    details('note.a: a key contains half of a surrogate pair, which cannot be stored'),
  );
  expect((await post('{"query":"noteOfUser","data":{"note":"\\ud83d\\ude00"}}')).status).toBe(200);
});
