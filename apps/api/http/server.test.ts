/** Node's server as this service sets it up, over real sockets. */
import { Agent, request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createHttpServer, defaultTimeouts } from './server.ts';
import type { HttpTimeouts } from './server.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

const answer: Handle = (_, response) => response.end('fine');

const serve = async (handle: Handle = answer, timeouts: Partial<HttpTimeouts> = {}) => {
  const front = createHttpServer(handle, { ...defaultTimeouts, ...timeouts });
  const port = await front.listen(0, '127.0.0.1');
  return { ...front, port };
};

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

/** A connection of a raw client: the data received, and how it ended. */
const open = async (port: number, allowHalfOpen = false) => {
  const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen });
  const state = { text: '', error: null as NodeJS.ErrnoException | null };
  socket.on('data', (chunk) => void (state.text += chunk.toString()));
  socket.on('error', (error) => void (state.error = error));
  await once(socket, 'connect');
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  const ended = new Promise<void>((resolve) => void socket.once('end', () => resolve()));
  const has = async (text: string): Promise<void> => {
    while (!state.text.includes(text)) await Promise.race([once(socket, 'data'), closed]);
  };
  return { socket, state, closed, ended, has };
};

/**
 * A client that sends one request after the other until it is refused. Returns counts of statuses and errors.
 */
const keepSending = async (port: number): Promise<Map<string, number>> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const seen = new Map<string, number>();
  for (;;) {
    const outcome = await new Promise<string>((resolve) => {
      const request = httpRequest({ port, host: '127.0.0.1', agent, method: 'GET' }, (response) => {
        response.resume();
        response.once('end', () => resolve(`${response.statusCode} ${response.headers.connection}`));
        response.once('error', (error) => resolve(error.message));
      });
      request.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      request.end();
    });
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
    if (outcome === 'ECONNREFUSED') break;
  }
  agent.destroy();
  return seen;
};

describe('graceful shutdown', () => {
  test('30 clients that never pause get an answer to every request they had begun', async () => {
    let begun = 0;
    const front = await serve((_, response) => {
      begun += 1;
      setTimeout(() => response.end('fine'), 2);
    });
    const clients = Array.from({ length: 30 }, () => keepSending(front.port));
    const warm = await open(front.port);
    warm.socket.write(get);
    await warm.has('fine');
    await front.stop({ drainMs: 300, limitMs: 5_000 });
    let answered = 1;
    for (const seen of await Promise.all(clients)) {
      const answers = [...seen].filter(([outcome]) => outcome.startsWith('200 '));
      for (const [, count] of answers) answered += count;
      expect(seen.get('200 close')).toBeGreaterThan(0);
    }
    expect(answered).toBe(begun);
  });

  test('A request arriving on an idle connection at shutdown is answered, and a silent connection is closed', async () => {
    const front = await serve();
    const clients = await Promise.all(Array.from({ length: 10 }, () => open(front.port)));
    for (const { socket } of clients) socket.write(get);
    await Promise.all(clients.map(({ has }) => has('fine')));
    const speaking = clients.slice(0, 5);
    const stopped = front.stop({ drainMs: 200, limitMs: 5_000 });
    for (const { socket } of speaking) socket.write(get);
    await stopped;
    await Promise.all(clients.map(({ closed }) => closed));
    expect(clients.map(({ state }) => state.error)).toEqual(clients.map(() => null));
    const answers = clients.map(({ state }) => state.text.split('HTTP/1.1 200 OK').length - 1);
    expect(answers).toEqual([2, 2, 2, 2, 2, 1, 1, 1, 1, 1]);
    for (const { state } of speaking) expect(state.text).toMatch(/Connection: close[\s\S]*fine$/);
  });

  test('A request already begun is answered after the listener has closed', async () => {
    const arrived = Promise.withResolvers<ServerResponse>();
    const front = await serve((_, response) => arrived.resolve(response));
    const [begun, waiting] = await Promise.all([open(front.port), open(front.port)]);
    waiting.socket.write(get);
    const response = await arrived.promise;
    begun.socket.write(get.slice(0, 20));
    const stopped = front.stop({ drainMs: 0, limitMs: 60_000 });
    while (front.server.listening) await nextTurn();
    response.end('late');
    await waiting.closed;
    expect(waiting.state.text).toMatch(/Connection: close[\s\S]*late$/);
    begun.socket.end(get.slice(20));
    await stopped;
    expect([begun.state.error, waiting.state.error]).toEqual([null, null]);
  });

  test('A response reaches a client that is still sending its request body', async () => {
    const front = await serve((_, response) => response.writeHead(413).end('too large'));
    const client = await open(front.port);
    const stopped = front.stop({ drainMs: 50, limitMs: 5_000 });
    client.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8000000\r\n\r\n');
    await client.has('too large');
    client.socket.end(Buffer.alloc(4_000_000));
    await client.closed;
    await stopped;
    expect([client.state.error, client.state.text]).toEqual([null, expect.stringContaining('HTTP/1.1 413')]);
  });

  test('Clients that neither react nor finish are disconnected', async () => {
    const front = await serve();
    const [idle, unfinished] = await Promise.all([open(front.port, true), open(front.port)]);
    idle.socket.write(get);
    await idle.has('fine');
    unfinished.socket.write(get.slice(0, 10));
    await front.stop({ drainMs: 0, limitMs: 100 });
    await unfinished.closed;
    expect([idle.state.error, front.server.listening]).toEqual([null, false]);
    idle.socket.destroy();
  });
});

test('A refused body that never ends is cut off after the answer', async () => {
  const front = await serve((_, response) => response.writeHead(413).end('too large'), { restMs: 200 });
  const { socket, state, closed } = await open(front.port);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n');
  const block = Buffer.alloc(1_048_576, 32);
  const send = () => {
    while (socket.writable && socket.write(block));
  };
  socket.on('drain', send);
  send();
  await closed;
  expect(state.text).toMatch(/^HTTP\/1.1 413 [\s\S]*too large/);
  await front.stop({ drainMs: 0, limitMs: 1_000 });
});

describe('requests refused by Node', () => {
  const refusal = async (send: string, timeouts: Partial<HttpTimeouts> = {}) => {
    const afterBody: Handle = (request, response) =>
      void request.resume().once('end', () => response.end('fine'));
    const front = await serve(afterBody, timeouts);
    const client = await open(front.port);
    client.socket.write(send);
    await client.closed;
    await front.stop({ drainMs: 0, limitMs: 1_000 });
    const [head = '', body = ''] = client.state.text.split('\r\n\r\n');
    const requestId = /^X-Request-Id: (.+)$/m.exec(head)?.[1];
    return { error: client.state.error, head, requestId, body: JSON.parse(body) as Record<string, unknown> };
  };

  test.each([
    ['nonsense', 'nonsense\r\n\r\n', 400, 'BAD_REQUEST'],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n', 400, 'BAD_REQUEST'],
    [
      'headers over 16 kB',
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'PAYLOAD_TOO_LARGE',
    ],
    ['CONNECT', 'CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
  ])(
    '%s gets a request id, the error form of its path and Connection: close',
    async (_, send, status, code) => {
      const { error, head, requestId, body } = await refusal(send);
      expect([error, head]).toEqual([null, expect.stringContaining(`HTTP/1.1 ${status} `)]);
      expect(head).toContain('Connection: close');
      expect(requestId).toMatch(/^[\w-]{36}$/);
      expect(body).toMatchObject({
        success: false,
        error: { code, status },
        requestId,
        code: code.toLowerCase(),
      });
    },
  );

  test.each([
    ['headers', 'GET / HTTP/1.1\r\nHost: x\r\n', { headersMs: 100, checkMs: 20 }],
    [
      'a body',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345',
      { headersMs: 100, requestMs: 100, checkMs: 20 },
    ],
  ])('%s that take too long are answered with 408', async (_, send, timeouts) => {
    const { error, head, requestId, body } = await refusal(send, timeouts);
    expect([error, head]).toEqual([null, expect.stringContaining('HTTP/1.1 408 Request Timeout')]);
    expect(head).toContain('Connection: close');
    expect(body).toMatchObject({
      success: false,
      error: { code: 'REQUEST_TIMEOUT', status: 408 },
      requestId,
    });
  });

  test.each([
    ['has begun', (response: ServerResponse) => response.writeHead(200).write('begun')],
    ['is over', (response: ServerResponse) => response.end('begun')],
  ])('A body that is too slow gets no second response when the first %s', async (_, respond) => {
    const front = await serve((_request, response) => void respond(response), {
      // Long enough for the request to arrive.
      headersMs: 600,
      requestMs: 600,
      checkMs: 20,
    });
    const client = await open(front.port);
    client.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345');
    await client.closed;
    expect(client.state.text).toMatch(/^HTTP\/1.1 200 OK[\s\S]*begun/);
    expect(client.state.text).not.toContain('408');
    await front.stop({ drainMs: 0, limitMs: 1_000 });
  });
});
