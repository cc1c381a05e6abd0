import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createHttp } from '../http.ts';
import { createLogger } from '../log.ts';
import { createPlannerClient, PlannerError } from './planner.ts';

let answer: (request: IncomingMessage, response: ServerResponse) => void;
let requests: string[] = [];
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
});

const http = createHttp(createLogger('test', 'silent'));
const fetchFrom = (limits: { totalMs?: number; attemptMs?: number } = {}, url = `${origin}/fetch?key=1`) =>
  createPlannerClient({ http, url, ...limits }).fetch({ userId: 7, username: null, staticId: null });

describe('the planner client', () => {
  test('The configured address keeps its own parameters', async () => {
    answer = (_, response) => response.end('{}');
    expect((await fetchFrom()).bytes.toString()).toBe('{}');
    expect(requests).toEqual(['/fetch?key=1&userid=7&json=v2']);
  });

  test('A compressed answer is unpacked; one that unpacks to more than 8 MB is refused at once', async () => {
    answer = (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('{"a":1}'));
    expect((await fetchFrom()).bytes.toString()).toBe('{"a":1}');
    answer = (_, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(80_000_000)));
    await expect(fetchFrom()).rejects.toThrow('more than 8388608 bytes');
    expect(requests).toHaveLength(2);
  });

  test('An answer that does not come or never ends fails after one more attempt, within the total time', async () => {
    answer = () => undefined;
    await expect(fetchFrom({ attemptMs: 500, totalMs: 2_500 })).rejects.toBeInstanceOf(PlannerError);
    expect(requests).toHaveLength(2);
    answer = (_, response) => {
      response.writeHead(200).write('{"a"');
    };
    // Too little is left for another attempt.
    await expect(fetchFrom({ attemptMs: 500, totalMs: 600 })).rejects.toBeInstanceOf(PlannerError);
    expect(requests).toHaveLength(3);
  });

  test('A server that cannot be reached is a failure that may pass; a redirect is not followed', async () => {
    await expect(fetchFrom({}, 'http://127.0.0.1:1/')).rejects.toMatchObject({
      isPassing: true,
    });
    answer = (_, response) => response.writeHead(302, { location: '/elsewhere' }).end();
    await expect(fetchFrom()).rejects.toMatchObject({
      isPassing: false,
      message: 'it answered with status 302',
    });
    expect(requests).toHaveLength(1);
  });
});
