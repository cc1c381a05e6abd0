/** Bodies as real clients send them, and as hostile ones do: encodings, sizes before a query is known, memory. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '../api.ts';
import type { TestApi, TestUser } from '../api.ts';
import { refusal } from '../support/answers.ts';
import { planOf } from '../support/plans.ts';

let api: TestApi;
let user: TestUser;
const sockets = new Set<Socket>();
/** The service's ends of the connections, by the client's port. */
const accepted = new Map<number | undefined, Socket>();
beforeAll(async () => {
  api = await testApi({ env: { TRUSTED_PROXIES: '1' } });
  user = await api.user();
  api.running.server.on('connection', (socket) => accepted.set(socket.remotePort, socket));
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});
afterAll(() => api.close());

interface Answered {
  status: number;
  body: Record<string, unknown> & { error?: { code: string; message: string; hint?: string } };
}

const post = async (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<Answered> => {
  const response = await api.fetch('/api', {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: response.status, body: (await response.json()) as Answered['body'] };
};
const bytesOf = (...parts: readonly (string | readonly number[])[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)))),
  );
const codeOf = ({ status, body }: Answered): unknown[] => [status, body.error?.code];

describe('text other than UTF-8', () => {
  const begin = '{"query":"login","data":{"email":"a@example.org","password":"p';
  const end = 'ss"}}';

  test.each<[string, readonly number[]]>([
    ['Latin-1', [0xe4]],
    ['CESU-8', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
    ['a character cut off', [0xe2, 0x82]],
    ['an overlong form', [0xc0, 0xaf]],
  ])('%s is refused and never becomes another password', async (_, letter) => {
    const answer = await post(bytesOf(begin, letter, end));
    expect(codeOf(answer)).toEqual([400, 'INVALID_JSON']);
    expect(answer.body.error?.message).toBe('The body is not UTF-8.');
  });

  test('A byte order mark is ignored', async () => {
    expect(codeOf(await post('\uFEFF{"query":"nothing"}'))).toEqual([400, 'UNKNOWN_QUERY']);
  });

  test('Unpaired surrogates in a password are refused by every operation that takes one, since they would all become the same password', async () => {
    const devKey = await api.key();
    const { email } = user;
    const names = { firstname: 'A', lastname: 'B' };
    for (const half of ['\\ud83d', '\\udc00', '\\ude00\\ud83d', 'password\\uDFFF']) {
      const password = JSON.parse(`"correct${half}"`) as string;
      for (const [query, data] of [
        ['login', { email, password }],
        ['register', { email: 'b@efb.example', password, ...names }],
        ['changeEmail', { newEmail: 'b@efb.example', password }],
        ['changePassword', { oldPassword: password, newPassword: 'correct horse' }],
        ['changePassword', { oldPassword: 'correct horse', newPassword: password }],
        ['deleteAccount', { password }],
      ] as const) {
        const answer = await api.call(query, { token: user.token, devKey, data });
        expect([query, JSON.stringify(answer.body)]).toEqual([
          query,
          expect.stringContaining('half of a surrogate pair, which cannot be stored'),
        ]);
      }
    }
  });

  test('An opaque payload is stored byte for byte, or refused with the stored one kept (M-2.3.k2)', async () => {
    const ofpId = await planOf(api, user);
    const headers = { authorization: `Bearer ${user.token}` };
    const save = (...payload: (string | readonly number[])[]) =>
      post(
        bytesOf(
          `{"query":"flightDataSave","data":{"ofpId":"${ofpId}","dataKey":"a","payload":{"a":"`,
          ...payload,
          '"}}}',
        ),
        headers,
      );
    const read = async (): Promise<string> => {
      const response = await api.fetch('/api', {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ query: 'flightDataGet', data: { ofpId, dataKey: 'a' } }),
      });
      return response.text();
    };
    for (const text of ['\\ud83d\\ude00', '\\ud83d', '😀 e\u0301', '\\u0000', '\ufffd']) {
      expect((await save(text)).status).toBe(200);
      const stored = await read();
      expect(stored).toContain(`"payload":{"a":"${text}"}`);
      for (const bytes of [[0xe4], [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], [0xf4, 0x90, 0x80, 0x80]])
        expect(codeOf(await save(bytes))).toEqual([400, 'INVALID_JSON']);
      expect(await read()).toBe(stored);
    }
  });

  test('Invalid fields of pages and URLs are refused, too', async () => {
    for (const body of [bytesOf('email=a&password=p', [0xe4]), 'email=a&password=p%E4', 'password=%C0%AF']) {
      const response = await api.fetch('/device', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { error: { code: 'INVALID_INPUT', message: expect.stringContaining('not UTF-8') } },
      ]);
    }
    const read = await api.fetch('/api/get/weather?icao=KJF%E4');
    expect([read.status, await read.json()]).toMatchObject([400, { error: { code: 'INVALID_INPUT' } }]);
  });
});

describe('headers as clients write them', () => {
  const body = JSON.stringify({ query: 'refreshUserData' });

  test.each([
    ['GZIP', gzipSync(body)],
    ['x-gzip', gzipSync(body)],
    ['gzip, identity', gzipSync(body)],
    ['Identity', Buffer.from(body)],
    ['BR', brotliCompressSync(body)],
  ])('Content-Encoding %s is read', async (encoding, bytes) => {
    const headers = { authorization: `Bearer ${user.token}`, 'content-encoding': encoding };
    expect((await post(new Uint8Array(bytes), headers)).status).toBe(200);
  });

  test('Two stacked encodings are refused', async () => {
    const twice = new Uint8Array(gzipSync(gzipSync(body)));
    expect(codeOf(await post(twice, { 'content-encoding': 'gzip, gzip' }))).toEqual([
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ]);
  });

  test('Several blanks may follow Bearer', async () => {
    for (const scheme of ['Bearer ', 'Bearer  ', 'bearer   '])
      expect((await post(body, { authorization: `${scheme}${user.token}` })).status).toBe(200);
  });
});

describe('bodies over 64 kB', () => {
  const pad = (bytes: number) => 'x'.repeat(bytes);

  test('An operation refuses a large body in its own error form and wording, whether announced, chunked or compressed', async () => {
    const body = JSON.stringify({ query: 'submitFeedback', data: { screenshotPng: pad(4_400_000) } });
    const refused = {
      Error: [{ Message: 'Screenshot too large (max 2 MB decoded).', code: 'PAYLOAD_TOO_LARGE' }],
    };
    expect(await post(body)).toEqual({ status: 413, body: refused });
    expect(await post(new Uint8Array(gzipSync(body)), { 'content-encoding': 'gzip' })).toEqual({
      status: 413,
      body: refused,
    });
    const own = await post(JSON.stringify({ query: 'login', data: { email: pad(300_000) } }));
    expect(own.body.error?.message).toBe('The body of this query may have at most 262144 bytes.');
  });

  test('A large body without a valid token is refused for the missing or expired token, not for its size', async () => {
    const body = JSON.stringify({ query: 'ofpImport', data: { document: pad(200_000) } });
    expect(codeOf(await post(body))).toEqual([401, 'AUTH_REQUIRED']);
    expect(codeOf(await post(body, { authorization: 'Bearer wrong' }))).toEqual([401, 'AUTH_REQUIRED']);
    const headers = { authorization: `Bearer ${user.token}` };
    expect(codeOf(await post(body, headers))).toEqual([400, 'INVALID_DOCUMENT']);
  });

  test('Until the query is known, only a user with a token may send a large body', async () => {
    const body = JSON.stringify({ data: { pad: pad(100_000) }, query: 'nothing' });
    const answer = await post(body);
    expect(codeOf(answer)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(answer.body.error?.hint).toContain('begin the body with {"query":');
    const headers = { authorization: `Bearer ${user.token}` };
    expect(codeOf(await post(body, headers))).toEqual([400, 'UNKNOWN_QUERY']);
  });
});

const largeBytes = 4_190_000;
const begin = '{"query":"ofpImport","data":{"source":"json","document":"';

/** A connection that has sent the head and the first bytes of a body, which the service has received. */
const opened = async (token: string, sent = begin): Promise<Socket> => {
  const request = once(api.running.server, 'request');
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  sockets.add(socket);
  socket.write(
    `POST /api HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Forwarded-For: 192.0.2.1\r\n` +
      `Authorization: Bearer ${token}\r\nContent-Length: ${largeBytes}\r\n\r\n${sent}`,
  );
  await request;
  while ((accepted.get(socket.localPort)?.bytesRead ?? 0) < socket.bytesWritten) await nextTurn();
  return socket;
};

test('Announced bodies take no memory from other accounts, and received ones release it', async () => {
  for (let account = 0; account < 8; account += 1) {
    const { token } = await api.user();
    for (let body = 0; body < 4; body += 1) await opened(token);
  }
  const { token } = await api.user();
  const data = { source: 'json', document: 'x'.repeat(4_000_000) };
  expect(refusal(await api.call('ofpImport', { token, data }))).toEqual([400, 'INVALID_DOCUMENT']);
  const arrived = begin + 'x'.repeat(4_180_000);
  const held: Socket[] = [];
  for (let body = 0; body < 4; body += 1) held.push(await opened(token, arrived));
  const fifth = { source: 'json', document: 'x'.repeat(2_000_000) };
  expect(refusal(await api.call('ofpImport', { token, data: fifth }))).toEqual([429, 'RATE_LIMITED']);
  const closed = Promise.all(held.map((socket) => once(accepted.get(socket.localPort) as Socket, 'close')));
  for (const socket of held) socket.destroy();
  await closed;
  expect(refusal(await api.call('ofpImport', { token, data }))).toEqual([400, 'INVALID_DOCUMENT']);
});
