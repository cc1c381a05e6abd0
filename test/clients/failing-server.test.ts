/** Behaviour of the TypeScript client when a server fails in the required ways. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure } from '#test/support/client-failure.ts';
import { createClient, isErrorOf } from '../../clients/typescript/src/index.ts';
import type { ClientOptions } from '../../clients/typescript/src/index.ts';

describe('calls to a failing server', () => {
  type Answer = (request: IncomingMessage, response: ServerResponse) => void;
  const answers: Answer[] = [];
  const calls: string[] = [];
  /** `Idempotency-Key` of each call. */
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    request.setEncoding('utf8');
    let body = '';
    request.on('data', (chunk) => void (body += String(chunk)));
    request.on('end', () => {
      const { query } = JSON.parse(body) as { query: string };
      // Not answered, even if it arrives after the client's time limit.
      if (query === 'airportStatus') return;
      calls.push(query);
      keys.push(request.headers['idempotency-key']);
      (answers.shift() ?? json(200, { success: true }))(request, response);
    });
  });
  const json =
    (status: number, body: object, headers: Record<string, string> = {}): Answer =>
    (_, response) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
  const failing = (code: string, status: number, retryAfter?: string) =>
    json(
      status,
      { success: false, error: { code, status, message: 'No.' } },
      retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    );
  const cut: Answer = (request) => request.socket.destroy();
  const silent: Answer = () => {};
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => server.close());
  const efb = (options: Partial<ClientOptions> = {}) => {
    calls.length = 0;
    keys.length = 0;
    const { port } = server.address() as AddressInfo;
    const token = { token: 't', expires: '2999-01-01T00:00:00Z' };
    return createClient({ baseUrl: `http://127.0.0.1:${port}/`, token, ...options });
  };
  const save = { ofpId: 'OFP-1', payload: {} };

  test('Reads, and writes with a key, are retried after a lost connection, 503 and 429; writes without a key only after 429', async () => {
    answers.push(cut, failing('SERVICE_UNAVAILABLE', 503, '0'), failing('RATE_LIMITED', 429, '0'));
    await efb().call('flightDataGet', { ofpId: 'OFP-1' });
    expect(calls).toHaveLength(4);
    answers.push(failing('RATE_LIMITED', 429, '0'));
    await efb().call('flightDataSave', save);
    expect(calls).toHaveLength(2);
    const inUse = failing('IDEMPOTENCY_KEY_IN_USE', 409, '0');
    answers.push(cut, failing('SERVICE_UNAVAILABLE', 503, '0'), inUse);
    await efb().call('flightDataSave', save);
    expect([calls.length, new Set(keys).size]).toEqual([4, 1]);
    await efb().call('flightDataSave', save, { idempotencyKey: 'of-the-outbox' });
    expect(keys).toEqual(['of-the-outbox']);
    answers.push(cut);
    const error = await efb()
      .call('flightDataSave', save, { isSafeToRepeat: false })
      .catch((reason: unknown) => reason);
    expect(isErrorOf(error, 'flightDataSave', 'NETWORK_ERROR')).toBe(true);
    answers.push(failing('SERVICE_UNAVAILABLE', 503, '0'));
    const reset = efb().call('requestPasswordReset', { email: 'me@example.org' });
    expect([await failure(reset), keys]).toEqual([['SERVICE_UNAVAILABLE', 503], [undefined]]);
  });

  test('Retries end after their number, at a long Retry-After, and at a permanent error', async () => {
    answers.push(...[1, 2].map(() => failing('RATE_LIMITED', 429, '0')));
    expect(await failure(efb({ retries: 1 }).call('ofpList'))).toEqual(['RATE_LIMITED', 429]);
    answers.push(failing('RATE_LIMITED', 429, '3600'));
    expect(await failure(efb().call('ofpList'))).toEqual(['RATE_LIMITED', 429]);
    answers.push(cut, cut);
    const credentials = () => ({ email: 'me@example.org', password: 'a good one' });
    const withLogin = efb({ retries: 1, token: null, credentials }).call('ofpList');
    expect(await failure(withLogin)).toEqual(['NETWORK_ERROR', 0]);
    expect(calls).toEqual(['login', 'login']);
    answers.push(failing('INTERNAL_ERROR', 500));
    expect(await failure(efb().call('ofpList'))).toEqual(['INTERNAL_ERROR', 500]);
    expect(calls).toHaveLength(1);
    answers.push((_, response) => response.writeHead(502).end('<html>Bad gateway</html>'));
    expect(await failure(efb({ retries: 0 }).call('ofpList'))).toEqual(['HTTP_502', 502]);
    answers.push((_, response) => response.writeHead(200).end('<html>Welcome</html>'));
    expect(await failure(efb().call('ofpList'))).toEqual(['INVALID_ANSWER', 200]);
  });

  test('A time limit and an abort signal end a call, even while it waits for a retry', async () => {
    const late = efb({ retries: 1, timeoutMs: 20 }).call('airportStatus');
    expect(await failure(late)).toEqual(['TIMEOUT', 0]);
    const reason = new Error('the user left');
    for (const answer of [silent, failing('RATE_LIMITED', 429, '15')]) {
      const controller = new AbortController();
      answers.push((request, response) => {
        answer(request, response);
        setTimeout(() => controller.abort(reason), 5);
      });
      await expect(efb().call('ofpList', {}, { signal: controller.signal })).rejects.toBe(reason);
      expect(calls).toHaveLength(1);
    }
  });
});
