import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHttp } from '#platform/http.ts';
import { createLogger } from '#platform/log/log.ts';
import { createPlannerClient, PlannerError } from './planner.ts';

let answer: (request: IncomingMessage, response: ServerResponse) => void;
let requests: string[] = [];
/** Time limit of each attempt so far in ms, even of those that did not reach the server. */
let attempts: unknown[] = [];
let attemptMs: number | null = null;
const server = createServer((request, response) => {
  requests.push(request.url ?? '');
  answer(request, response);
});
let origin: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests = [];
  attempts = [];
  attemptMs = null;
});

const plain = createHttp(createLogger('test', 'silent'));
const http = new Proxy(plain, {
  get: (target, name) =>
    name === 'stream'
      ? (url: string, options: { timeout: { request: number } }) => {
          attempts.push(options.timeout.request);
          const timeout = { ...options.timeout, request: attemptMs ?? options.timeout.request };
          return target.stream(url, { ...options, timeout });
        }
      : Reflect.get(target, name),
});
const fetchFrom = (url = `${origin}/fetch?key=1`) =>
  createPlannerClient({ http, url }).fetch({ userId: 7, username: null, staticId: null });

describe('SimBrief client', () => {
  test('The configured address keeps its own parameters', async () => {
    answer = (_, response) => response.end('{}');
    expect((await fetchFrom()).toString()).toBe('{}');
    expect(requests).toEqual(['/fetch?key=1&userid=7&json=v2']);
  });

  test('A compressed answer is unpacked, and one that unpacks to more than 8 MB is refused at once', async () => {
    answer = (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('{"a":1}'));
    expect((await fetchFrom()).toString()).toBe('{"a":1}');
    answer = (_, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(80_000_000)));
    await expect(fetchFrom()).rejects.toThrow('more than 8388608 bytes');
    expect(requests).toHaveLength(2);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['does not come', () => undefined],
    ['never ends', (response) => void response.writeHead(200).write('{"a"')],
  ])('An answer that %s fails after one retry with the remaining time', async (_, begin) => {
    answer = (__, response) => (attempts.length === 1 ? begin(response) : response.destroy());
    attemptMs = 50;
    await expect(fetchFrom()).rejects.toBeInstanceOf(PlannerError);
    expect(attempts).toEqual([8_000, expect.any(Number)]);
    expect(attempts[1]).toBeGreaterThan(1_000);
    expect(attempts[1]).toBeLessThan(10_000);
  });

  test('An unreachable server is a transient failure, and a redirect is not followed', async () => {
    await expect(fetchFrom('http://127.0.0.1:1/')).rejects.toMatchObject({ isPassing: true });
    expect(attempts).toHaveLength(2);
    attempts = [];
    answer = (_, response) => response.writeHead(302, { location: '/elsewhere' }).end();
    await expect(fetchFrom()).rejects.toMatchObject({
      isPassing: false,
      message: 'it answered with status 302',
    });
    expect(attempts).toHaveLength(1);
  });
});
