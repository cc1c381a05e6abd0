/** Bodies that are announced and hardly sent: they are ended, and take no room from others. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { testApi } from '../api.ts';
import type { TestApi } from '../api.ts';
import { refusal } from '../support/answers.ts';

let api: TestApi;
const sockets = new Set<Socket>();
/** The service's ends of the connections, by the client's port. */
const accepted = new Map<number | undefined, Socket>();
beforeAll(async () => {
  // Seconds pass when a test says so.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  api = await testApi({ env: { TRUSTED_PROXIES: '1' } });
  api.running.server.on('connection', (socket) => accepted.set(socket.remotePort, socket));
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});
afterAll(async () => {
  vi.useRealTimers();
  await api.close();
});

const largeBytes = 4_190_000;
const begin = '{"query":"ofpImport","data":{"source":"json","document":"';
const end = '"}}';

interface Body {
  token?: string;
  /** As announced; null: in chunks. */
  bytes: number | null;
  ip?: string;
}

/** Everything that was sent has been received. */
const received = async (socket: Socket): Promise<void> => {
  while ((accepted.get(socket.localPort)?.bytesRead ?? 0) < socket.bytesWritten) await nextTurn();
};

/** A connection that has sent the head and the first bytes of a body, which the service has received. */
const opened = async ({ token, bytes, ip = '192.0.2.1' }: Body): Promise<Socket> => {
  const request = once(api.running.server, 'request');
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  sockets.add(socket);
  socket.write(
    `POST /api HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Forwarded-For: ${ip}\r\n` +
      (token === undefined ? '' : `Authorization: Bearer ${token}\r\n`) +
      (bytes === null
        ? `Transfer-Encoding: chunked\r\n\r\n${begin.length.toString(16)}\r\n${begin}\r\n`
        : `Content-Length: ${bytes}\r\n\r\n${begin}`),
  );
  await request;
  await received(socket);
  return socket;
};

test('Announced bodies take no room from other accounts, only from their own', async () => {
  for (let account = 0; account < 8; account += 1) {
    const { token } = await api.user();
    for (let body = 0; body < 4; body += 1) await opened({ token, bytes: largeBytes });
  }
  const { token } = await api.user();
  const data = { source: 'json', document: 'x'.repeat(4_000_000) };
  expect(refusal(await api.call('ofpImport', { token, data }))).toEqual([400, 'INVALID_DOCUMENT']);
});

test('A body that comes in too slowly is ended with 408 after the grace, with and without a token', async () => {
  const { token } = await api.user();
  const bodies: Body[] = [
    { token, bytes: largeBytes },
    { bytes: largeBytes },
    { bytes: 60_000 },
    { token, bytes: null },
    { bytes: null },
  ];
  const slow: Socket[] = [];
  for (const body of bodies) slow.push(await opened(body));
  const answers = slow.map((socket) => text(socket));
  const steady = await opened({ token, bytes: largeBytes });
  const answered = once(steady, 'data');
  let left = largeBytes - begin.length - end.length;
  for (let second = 0; second < 8; second += 1) {
    const part = Math.min(left, 100_000);
    left -= part;
    steady.write('x'.repeat(part));
    if (second < 5) for (const [i, socket] of slow.entries()) socket.write(i < 3 ? 'x' : '1\r\nx\r\n');
    for (const socket of second < 5 ? [steady, ...slow] : [steady]) await received(socket);
    vi.advanceTimersByTime(1_000);
  }
  for (const answer of await Promise.all(answers)) {
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    expect(answer).toContain('"code":"REQUEST_TIMEOUT"');
  }
  steady.write('x'.repeat(left) + end);
  expect(String((await answered)[0])).toMatch(/^HTTP\/1\.1 400 [^]*INVALID_DOCUMENT/);
});
