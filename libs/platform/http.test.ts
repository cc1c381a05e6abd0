import { once } from 'node:events';
import { createServer, globalAgent } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fetchSource } from '#data/feeds/fetch.ts';
import { nmsTransport } from '#data/feeds/notam/nms-transport.ts';
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
afterEach(() => {
  globalAgent.destroy();
  server.closeAllConnections();
});
afterAll(() => server.close());

/** Leaves an idle connection, which the next request can use. */
const openIdle = async () => {
  const free = once(globalAgent, 'free');
  await http(url);
  await free;
};
const reset = { code: 'ECONNRESET' };

describe('the client for outside sources', () => {
  const source = { http, signal, maxBytes: 1_000, timeoutMs: 60_000 };
  const clients: Record<string, () => Promise<unknown>> = {
    call: () => http(url),
    source: () => fetchSource(url, source),
    notams: async () =>
      buffer((await nmsTransport(http, signal, 60_000)(url, { method: 'GET', headers: {} })).body),
  };

  test.each(Object.keys(clients))(
    'A GET (%s) on an idle connection that the server closes is sent once more, on a new one',
    async (name) => {
      await openIdle();
      await clients[name]?.();
      expect(log).toEqual(['1.1 GET', '1.2 GET', '2.1 GET']);
    },
  );

  test('A second failure is final, as is one on a new connection or after the headers of the answer', async () => {
    await openIdle();
    resets = () => true;
    await expect(http(url)).rejects.toMatchObject(reset);
    expect(log).toEqual(['1.1 GET', '1.2 GET', '2.1 GET']);

    await expect(http(url)).rejects.toMatchObject(reset);
    await expect(fetchSource(url, source)).rejects.toMatchObject({ code: 'CONNECTION' });
    expect(log.slice(3)).toEqual(['3.1 GET', '4.1 GET']);

    resets = (_connection, request) => request > 1;
    // A reset might overtake the headers.
    beforeReset = (response) =>
      new Promise((resolve) => {
        response.writeHead(200).write('half', () => resolve(response.socket?.destroy()));
      });
    for (const call of [() => http(url), () => fetchSource(url, source)]) {
      log = [];
      await openIdle();
      await expect(call()).rejects.toMatchObject({
        code: expect.stringMatching(/^(ECONNRESET|CONNECTION)$/),
      });
      expect(log).toEqual([expect.stringMatching(/\.1 GET$/), expect.stringMatching(/\.2 GET$/)]);
    }
  });

  test('A POST gets a new connection, which nothing uses again, and is never repeated', async () => {
    await openIdle();
    resets = (connection) => connection === 4;
    await http.post(url, { json: 1 });
    await fetchSource(url, { ...source, method: 'POST', form: { a: 'b' } });
    await expect(http.post(url, { json: 2 })).rejects.toMatchObject(reset);
    expect(log).toEqual(['1.1 GET', '2.1 POST 1', '3.1 POST a=b', '4.1 POST 2']);
  });

  test('A POST that only asks is repeated with its body like a GET, in what is left of its time', async () => {
    await openIdle();
    beforeReset = () => new Promise((resolve) => setTimeout(resolve, 5));
    const limits: (number | undefined)[] = [];
    const watched = http.extend({
      hooks: { beforeRetry: [({ options }) => void limits.push(options.timeout.request)] },
    });
    await watched.post(url, { body: 'a=b', retry: { methods: ['POST'] }, timeout: { request: 60_000 } });
    expect(log).toEqual(['1.1 GET', '1.2 POST a=b', '2.1 POST a=b']);
    expect(limits).toEqual([expect.toSatisfy((limit: number) => limit > 1 && limit < 60_000)]);
  });
});
