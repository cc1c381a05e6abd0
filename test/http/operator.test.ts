/**
 * Behaviour for operators: metrics on a separate port, readiness before shutdown, and requests that are
 * invalid HTTP.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi } from '../api.ts';
import type { TestApi } from '../api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ env: { METRICS_PORT: '0' } });
});
afterAll(() => api.close());

const metricsUrl = () => `http://127.0.0.1:${api.running.metricsPort}/metrics`;

/** Sends text over a separate connection and returns the data received until it was closed. */
const send = async (text: string): Promise<string> => {
  const socket = connect(api.running.port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => void (answer += chunk.toString()));
  socket.write(text);
  await once(socket, 'close');
  return answer;
};

test('Metrics are on a separate loopback port, not on the public one', async () => {
  await api.call('nothingKnown');
  expect((await api.fetch('/metrics')).status).toBe(404);
  const answer = await fetch(metricsUrl());
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
  const text = await answer.text();
  expect(text).toMatch(/efb_requests_total\{query="-",status="400",code="UNKNOWN_QUERY"\} \d+/);
  expect(text).toContain('efb_database_connections');
  expect(text).toContain('process_cpu_seconds_total');
  expect((await fetch(metricsUrl().replace('metrics', 'healthz'))).status).toBe(404);
});

test.each([
  ['Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'BAD_REQUEST'],
  [
    'Expect',
    'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n',
    417,
    'EXPECTATION_FAILED',
  ],
])(
  'A request whose %s cannot be satisfied is refused in the error form of its path',
  async (_, text, status, code) => {
    const [top = '', body = ''] = (await send(text)).split('\r\n\r\n');
    expect(top).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(top).toMatch(/^X-Request-Id: [\w-]{36}$/m);
    expect(JSON.parse(body)).toMatchObject({ success: false, error: { code, status } });
    const [v2Head = '', problem = ''] = (await send(text.replace('/healthz', '/v2/health'))).split(
      '\r\n\r\n',
    );
    const requestId = /^X-Request-Id: (.+)$/m.exec(v2Head)?.[1];
    expect(v2Head).toContain('application/problem+json');
    expect(JSON.parse(problem)).toMatchObject({ status, code: code.toLowerCase(), requestId });
  },
);

test('An HTTP/1.0 request needs no Host', async () => {
  expect(await send('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 OK/);
});

test('Readiness fails first, and responses announce the end of their connections', async () => {
  const other = await testApi({
    databaseUrl: api.context.databaseUrl,
    env: { SHUTDOWN_DRAIN_SECONDS: '2' },
  });
  expect((await other.fetch('/readyz')).status).toBe(200);
  const stopped = other.running.stop();
  const [ready, healthy, query] = await Promise.all([
    other.fetch('/readyz'),
    other.fetch('/healthz'),
    other.call('nothingKnown'),
  ]);
  expect([ready.status, healthy.status, query.status]).toEqual([503, 200, 400]);
  expect(await ready.json()).toEqual({ ready: false, checks: { process: 'stopping' } });
  for (const { headers } of [ready, healthy, query]) expect(headers.get('connection')).toBe('close');
  await stopped;
  await expect(other.fetch('/healthz')).rejects.toThrow('fetch failed');
});
