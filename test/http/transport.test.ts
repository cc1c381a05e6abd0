/** Behaviour before an operation is known: methods, media types, bodies, paths, headers. */
import { readFileSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '../api.ts';
import type { TestApi } from '../api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

const post = (body: string, type = 'application/json', headers: Record<string, string> = {}) =>
  api.fetch('/api', { method: 'POST', body, headers: { 'content-type': type, ...headers } });

const expectError = async (response: Response, status: number, code: string) => {
  const body = (await response.json()) as { error: { message: string } };
  expect([response.status, body]).toMatchObject([
    status,
    { success: false, error: { code, status, message: expect.any(String) } },
  ]);
  expect(response.headers.get('x-request-id')).toMatch(/^[\w.-]{8,64}$/);
  expect(response.headers.get('x-svc-log-id')).toMatch(/^\d+$/);
  expect(JSON.stringify(body)).not.toMatch(/node_modules|at .*\.ts|SyntaxError/);
  return body;
};

describe('POST /api', () => {
  test('A wrong method, media type, JSON or query is answered in form (a) with a log id (M-2.1.4a, M-2.1.5)', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH']) {
      const response = await api.fetch('/api', { method });
      expect(response.headers.get('allow')).toContain('POST');
      await expectError(response, 405, 'METHOD_NOT_ALLOWED');
    }
    await expectError(
      await post('query=login', 'application/x-www-form-urlencoded'),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    );
    await expectError(await post('query', 'text/plain'), 415, 'UNSUPPORTED_MEDIA_TYPE');
    for (const text of ['{', '{"query":', 'nothing', '"text"', '[1]', 'null', '']) {
      const response = await post(text);
      const body = (await response.clone().json()) as { error: { code: string } };
      await expectError(
        response,
        400,
        body.error.code === 'MISSING_QUERY' ? 'MISSING_QUERY' : 'INVALID_JSON',
      );
    }
    for (const text of ['null', '5', ' true ', '"text"', '[1]']) {
      const { error } = await expectError(await post(text), 400, 'INVALID_JSON');
      expect([text, error.message]).toEqual([text, 'The body must be a JSON object.']);
    }
    for (const text of ['{', 'nothing', '{"__proto__":{"a":1}}'])
      expect((await expectError(await post(text), 400, 'INVALID_JSON')).error.message).toBe(
        'The body is not valid JSON.',
      );
    await expectError(await post('{}'), 400, 'MISSING_QUERY');
    await expectError(await post('{"query":"logn"}'), 400, 'UNKNOWN_QUERY');
  });

  test('Bodies over 8 MB are refused with 413, nesting over 64 and 400,001 values with 400 and 413', async () => {
    await expectError(
      await post(JSON.stringify({ query: 'login', pad: 'x'.repeat(8_400_000) })),
      413,
      'PAYLOAD_TOO_LARGE',
    );
    const nested = (depth: number) => `{"query":"nothing","data":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    await expectError(await post(nested(63)), 400, 'UNKNOWN_QUERY');
    await expectError(await post(nested(64)), 400, 'JSON_TOO_DEEP');
    await expectError(await post(nested(30_000)), 400, 'JSON_TOO_DEEP');
    const { token } = await api.user();
    await expectError(
      await post(`{"query":"nothing","data":[${'1,'.repeat(400_000)}1]}`, 'application/json', {
        authorization: `Bearer ${token}`,
      }),
      413,
      'PAYLOAD_TOO_LARGE',
    );
  });

  test('An unsupported Content-Encoding is named, with and without a token', async () => {
    const { token } = await api.user();
    for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
      const response = await post('{"query":"refreshUserData"}', 'application/json', {
        ...headers,
        'content-encoding': 'zstd',
      });
      const { error } = await expectError(response, 415, 'UNSUPPORTED_MEDIA_TYPE');
      expect(error.message).toContain('Content-Encoding');
    }
  });

  test('A multipart form takes its query from a field, and data must be JSON text (M-2.1.1b)', async () => {
    const form = (fields: Record<string, string>) => {
      const data = new FormData();
      for (const [name, value] of Object.entries(fields)) data.append(name, value);
      data.append('file', new Blob(['hello']), 'a.txt');
      return api.fetch('/api', { method: 'POST', body: data });
    };
    await expectError(await form({ query: 'refreshUserData', data: '{broken' }), 400, 'INVALID_JSON');
    await expectError(await form({ query: 'refreshUserData', data: '{}' }), 401, 'AUTH_REQUIRED');
    await expectError(await form({ data: '{}' }), 400, 'MISSING_QUERY');
    const many = new FormData();
    for (let i = 0; i < 5_000; i += 1) many.append(`f${i}`, new Blob(['x']), `${i}.txt`);
    const refused = await api.fetch('/api', { method: 'POST', body: many });
    expect([400, 413]).toContain(refused.status);
  });

  test('A form leaves no temporary file behind, whether accepted or refused', async () => {
    const marker = `left behind? ${process.pid} `;
    const form = (fields: number, files: number) => {
      const made = new FormData();
      made.set('query', 'nothing');
      for (let i = 0; i < fields; i += 1) made.set(`field${i}`, 'x');
      for (let i = 0; i < files; i += 1) made.append('file', new Blob([marker.repeat(5_000)]), `${i}.png`);
      return api.fetch('/api', { method: 'POST', body: made });
    };
    await expectError(await form(0, 1), 400, 'UNKNOWN_QUERY');
    await expectError(await form(0, 2), 400, 'UNKNOWN_QUERY');
    await expectError(await form(12, 0), 413, 'PAYLOAD_TOO_LARGE');
    const ours = (await readdir(tmpdir())).filter((name) => {
      const path = join(tmpdir(), name);
      const file = statSync(path, { throwIfNoEntry: false });
      return file?.isFile() && /^\w{25}$/.test(name) && readFileSync(path, 'utf8').startsWith(marker);
    });
    expect(ours).toEqual([]);
    expect(await readdir(api.context.config.DATA_DIR)).not.toContain('uploads');
  });

  test('A forged token does not authenticate (M-5.1)', async () => {
    const user = await api.user();
    const [head, body, signature] = user.token.split('.') as [string, string, string];
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
    const forged = [
      'x',
      `${encode({ alg: 'none', typ: 'JWT' })}.${body}.`,
      `${head}.${encode({ ...claims, sub: '999999' })}.${signature}`,
      `${encode({ alg: 'HS256', typ: 'JWT', kid: 'other' })}.${body}.${signature}`,
      `${head}.${body}.${signature.slice(0, -4)}AAAA`,
      'x'.repeat(12_000),
    ];
    for (const token of forged) {
      const answer = await api.call('refreshUserData', { token });
      expect(answer).toMatchObject({ status: 401, body: { error: { code: 'AUTH_REQUIRED' } } });
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    }
    expect((await api.call('refreshUserData', { token: user.token })).status).toBe(200);
    api.context.clock.advance(86_401);
    expect((await api.call('refreshUserData', { token: user.token })).status).toBe(401);
    api.context.clock.advance(-86_401);
  });

  test('Any X-API-Version is accepted, and the answer carries the service version (M-9.1a, M-9.1b)', async () => {
    const user = await api.user();
    for (const version of ['1.2.0', '9.9.9', 'x']) {
      const answer = await api.call('refreshUserData', {
        token: user.token,
        headers: { 'x-api-version': version },
      });
      expect(answer).toMatchObject({ status: 200, body: { apiVersion: '1.3.6' } });
    }
  });
});

describe('headers and other paths', () => {
  test('Responses have security headers, CORS with exposed headers, and compression when long', async () => {
    const response = await api.fetch('/api/openapi.json', {
      headers: { origin: 'https://efb.example', 'accept-encoding': 'gzip' },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('access-control-expose-headers')).toContain('X-SVC-Log-Id');
    const preflight = await api.fetch('/api', {
      method: 'OPTIONS',
      headers: { origin: 'https://efb.example' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('X-Dev-Key');
    const server = await api.fetch('/api/webhooks/2checkout/ipn', {
      method: 'POST',
      headers: { origin: 'https://efb.example' },
    });
    expect(server.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('CORS allows only the listed origins', async () => {
    const strict = await testApi({
      databaseUrl: api.context.databaseUrl,
      env: { CORS_ORIGINS: 'https://a.example,https://b.example' },
    });
    try {
      const origin = async (value: string) =>
        (await strict.fetch('/healthz', { headers: { origin: value } })).headers.get(
          'access-control-allow-origin',
        );
      expect(await origin('https://b.example')).toBe('https://b.example');
      expect(await origin('https://c.example')).toBeNull();
    } finally {
      await strict.close();
    }
  });

  test('Health, readiness and unknown paths are answered', async () => {
    expect(await (await api.fetch('/healthz')).json()).toEqual({ status: 'ok' });
    expect(await (await api.fetch('/readyz')).json()).toMatchObject({
      ready: true,
      checks: { database: 'ok', migrations: 'ok', storage: 'ok' },
    });
    const missing = await api.fetch('/nothing');
    expect([missing.status, await missing.json()]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
    for (const [method, path] of [
      ['POST', '/healthz'],
      ['PUT', '/reset-password'],
      ['PROPFIND', '/api/openapi.json'],
    ] as const) {
      const wrong = await api.fetch(path, { method });
      expect([wrong.status, await wrong.json()]).toMatchObject([
        405,
        {
          error: {
            code: 'METHOD_NOT_ALLOWED',
            message: expect.stringMatching(/^This path supports .*GET/),
          },
        },
      ]);
      expect(wrong.headers.get('allow')).toContain('GET');
    }
  });

  test('The client address behind proxies cannot be forged', async () => {
    const proxied = await testApi({
      databaseUrl: api.context.databaseUrl,
      env: { TRUSTED_PROXIES: '1', RATE_LIMIT_SCALE: '0.01' },
    });
    try {
      const statuses: number[] = [];
      for (let i = 0; i < 4; i += 1) {
        const answer = await proxied.call('airportStatus', {
          headers: { 'x-forwarded-for': `10.0.0.${i}, 198.51.100.9` },
        });
        statuses.push(answer.status);
      }
      expect(statuses.at(-1)).toBe(429);
    } finally {
      await proxied.close();
    }
  });
});
