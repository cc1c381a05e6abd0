import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fetchSource } from '#data/feeds/fetch.ts';
import { createHttp } from './http.ts';
import { createLogger } from './log/log.ts';

type Reset = (connection: number, request: number) => boolean;

const http = createHttp(createLogger('test', 'silent'));
const { signal } = new AbortController();

/** Connection, number of the request on it, method and body. */
let log: string[] = [];
let connections: WeakMap<Socket, { connection: number; requests: number }>;
let opened = 0;
let resets: Reset;
let beforeReset: (response: ServerResponse) => unknown;

const answer = async (request: IncomingMessage, response: ServerResponse) => {
  const known = connections.get(request.socket) ?? { connection: (opened += 1), requests: 0 };
  known.requests += 1;
  connections.set(request.socket, known);
  const body = (await buffer(request)).toString();
  log.push(`${known.connection}.${known.requests} ${request.method} ${body}`.trimEnd());
  if (!resets(known.connection, known.requests)) {
    response.end('{}');
    return;
  }
  await beforeReset(response);
  request.socket.resetAndDestroy();
};
const server = createServer((request, response) => void answer(request, response));
let url = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
beforeEach(() => {
  log = [];
  connections = new WeakMap();
  opened = 0;
  resets = (_connection, request) => request > 1;
  beforeReset = () => undefined;
});
afterEach(() => server.closeAllConnections());
afterAll(() => server.close());

describe('the client for external sources', () => {
  const source = { http, signal, maxBytes: 1_000, timeoutMs: 60_000 };
  const clients: Record<string, () => Promise<unknown>> = {
    call: () => http(url),
    post: () => http.post(url, { json: 1 }),
    source: () => fetchSource(url, source),
  };

  test.each(Object.keys(clients))(
    'Each request (%s) has its own connection, which the server cannot close between two',
    async (name) => {
      await clients[name]?.();
      await clients[name]?.();
      expect(log).toEqual([expect.stringMatching(/^1\.1 /), expect.stringMatching(/^2\.1 /)]);
    },
  );

  test('A failure is final, both before and after the answer’s headers', async () => {
    resets = () => true;
    await expect(http(url)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(http.post(url, { json: 2 })).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(fetchSource(url, source)).rejects.toMatchObject({ code: 'CONNECTION' });
    // A reset might overtake the headers.
    beforeReset = (response) =>
      new Promise((resolve) => {
        response.writeHead(200).write('half', () => resolve(response.socket?.destroy()));
      });
    await expect(fetchSource(url, source)).rejects.toMatchObject({ code: 'CONNECTION' });
    expect(log).toEqual(['1.1 GET', '2.1 POST 2', '3.1 GET', '4.1 GET']);
  });
});
