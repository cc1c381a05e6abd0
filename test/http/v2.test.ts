import { Ajv2020 } from 'ajv/dist/2020.js';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { version } from '#platform/command-line.ts';
import { readConfig } from '#platform/config/config.ts';
import { testApi } from '../api.ts';
import type { TestApi } from '../api.ts';
import { recordExample } from '../support/examples.ts';
import { allLogged } from '../support/request-log.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
});
afterAll(() => api.close());

const json = async (response: Response) => {
  const body = (await response.json()) as Record<string, unknown>;
  const path = new URL(response.url).pathname;
  if (path === '/v2/health' && response.status === 200)
    recordExample('v2-health', { response: { ...body, version: '0.2.0' } });
  if (path === '/v2/me') recordExample(`v2-me-${response.status}`, { response: body });
  return body;
};

describe('GET /v2/health', () => {
  test('The health resource answers with and without a token (V-0.1, V-2.h1, V-2.h2, V-2.h3, V-2.h4, V-2.h5, V-4.t1, V-9.1b)', async () => {
    for (const headers of [{}, { authorization: 'Bearer x' }] as Record<string, string>[]) {
      const response = await api.fetch('/v2/health', { headers });
      expect(response.status).toBe(200);
      expect(await json(response)).toEqual({
        status: 'ok',
        service: 'EFB Service',
        environment: 'test',
        apiVersion: 'v2',
        version,
        time: '2026-09-16T12:00:00.000+00:00',
      });
    }
    expect((await api.fetch('/health')).status).toBe(404);
  });

  test('DEPLOYMENT is production or test, and any other value prevents startup (V-1.2)', () => {
    const env = { DATABASE_URL: 'postgres://x/y', JWT_SECRET: 'x'.repeat(32), SAFETY_CODE: 'y'.repeat(16) };
    expect(readConfig({ ...env, DEPLOYMENT: 'production' }).DEPLOYMENT).toBe('production');
    expect(() => readConfig({ ...env, DEPLOYMENT: 'staging' })).toThrow(
      /DEPLOYMENT: must be production or test/,
    );
  });

  test('Two deployments on one database see the same data (V-1.3)', async () => {
    const other = await testApi({ databaseUrl: api.context.databaseUrl, env: { DEPLOYMENT: 'production' } });
    try {
      const user = await api.user({ firstname: 'Shared' });
      const answer = await other.call('refreshUserData', { token: user.token });
      expect(answer.body['user']).toMatchObject({ firstname: 'Shared' });
      expect(await json(await other.fetch('/v2/health'))).toMatchObject({ environment: 'production' });
    } finally {
      await other.close();
    }
  });
});

describe('GET /v2/me', () => {
  const me = (headers: Record<string, string>, query = '') => api.fetch(`/v2/me${query}`, { headers });

  test('A call without a bearer token is 401 authentication_required (V-4.t3, V-5.1, V-5.7, V-7.1, V-2.e1, V-2.e2)', async () => {
    const none: Record<string, string>[] = [
      {},
      { authorization: '' },
      { authorization: 'Bearer ' },
      { authorization: 'Basic eDp5' },
    ];
    for (const headers of none) {
      const response = await me(headers, '?access_token=abc');
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(await json(response)).toMatchObject({
        code: 'authentication_required',
        requestId: response.headers.get('x-request-id'),
      });
    }
  });

  test('Any token gets 503 here and keeps working on the main interface (V-1.1a, V-1.1b, V-1.1c, V-1.4b, V-5.2b, V-5.8, V-7.2)', async () => {
    const user = await api.user();
    const key = await api.key();
    const shapes = [
      'x',
      'a.b.c',
      'x'.repeat(8_000),
      ...Array.from({ length: 45 }, (_, i) => `t${i}-${'z'.repeat(i)}`),
    ];
    for (const token of [user.token, key, user.password.replaceAll(' ', '_'), ...shapes]) {
      const response = await me({ authorization: `Bearer ${token}` });
      expect(response.status).toBe(503);
      expect(await json(response)).toMatchObject({ code: 'authentication_unavailable' });
    }
    expect((await me({ 'x-dev-key': key })).status).toBe(401);
    expect((await api.call('refreshUserData', { token: user.token })).status).toBe(200);
  });

  test('A token sent here appears in no log row (V-5.11)', async () => {
    await me({ authorization: 'Bearer marker-5f3a9c77' });
    await api.running.services.requestLog.flush();
    const { rows, bodies } = await allLogged(api.context.postgres.db);
    expect([...rows, ...bodies].filter((text) => text.includes('marker-5f3a9c77'))).toEqual([]);
    expect(bodies.length).toBeGreaterThan(0);
  });
});

describe('headers and errors of /v2', () => {
  test('Every response carries both headers, and errors repeat the request id (V-4.1, V-4.3a, V-4.4, V-7.4, V-1.4a, V-5.10, V-9.1a, V-2.e2)', async () => {
    const cases: [string, RequestInit, number, string | null][] = [
      ['/v2/health', {}, 200, null],
      ['/v2/openapi.json', {}, 200, null],
      ['/v2/me', {}, 401, 'authentication_required'],
      ['/v2/me', { headers: { authorization: 'Bearer x' } }, 503, 'authentication_unavailable'],
      ['/v2/login', { method: 'POST' }, 404, 'not_found'],
      ['/v2/token', { method: 'POST' }, 404, 'not_found'],
      ['/v2/apps', { method: 'POST' }, 404, 'not_found'],
      ['/v2/authorize', {}, 404, 'not_found'],
      ['/v2/health', { method: 'POST' }, 405, 'method_not_allowed'],
      ['/v2/health', { method: 'OPTIONS' }, 204, null],
      ['/v2/openapi.json', { method: 'OPTIONS' }, 204, null],
      ['/v2/me', { method: 'OPTIONS' }, 204, null],
      [`/v2/${'x'.repeat(8_000)}`, {}, 404, 'not_found'],
    ];
    for (const [path, init, status, code] of cases) {
      const response = await api.fetch(path, init);
      expect([path.slice(0, 30), response.status]).toEqual([path.slice(0, 30), status]);
      expect(response.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{8,64}$/);
      expect(response.headers.get('x-api-contract-version')).toBe('2.0.0');
      if (code === null) continue;
      expect(response.headers.get('content-type')).toContain('application/problem+json');
      expect(await json(response)).toMatchObject({
        code,
        status,
        requestId: response.headers.get('x-request-id'),
      });
    }
    expect((await api.fetch('/v2/health', { method: 'DELETE' })).headers.get('allow')).toBe(
      'GET, HEAD, OPTIONS',
    );
    for (const path of ['/v1/health', '/v3/health']) expect((await api.fetch(path)).status).toBe(404);
  });

  test('Requests that the parser refuses still get both headers (V-4.1, V-4.3a)', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(api.running.port, '127.0.0.1', () =>
        socket.write('GET /v2/health HTTP/1.1\r\nBad Header\r\n\r\n'),
      );
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString()));
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    const id = /X-Request-Id: ([\w-]{8,64})/.exec(answer)?.[1];
    expect(answer).toContain('X-API-Contract-Version: 2.0.0');
    expect(answer).toContain(`"requestId":"${id}"`);
  });

  test('A valid request id is echoed, an invalid one is replaced (V-4.2a, V-4.2b, V-8.1, V-8.2)', async () => {
    const idFor = async (given?: string) => {
      const headers = given === undefined ? {} : { 'x-request-id': given };
      return (await api.fetch('/v2/health', { headers: headers as Record<string, string> })).headers.get(
        'x-request-id',
      );
    };
    for (const good of ['abcDEF12._-', 'a'.repeat(8), 'a'.repeat(64)]) expect(await idFor(good)).toBe(good);
    for (const bad of ['a'.repeat(7), 'a'.repeat(65), 'has space', 'with/slash', 'caf\u00e9caf\u00e9']) {
      const id = await idFor(bad);
      expect(id).not.toBe(bad);
      expect(id).toMatch(/^[A-Za-z0-9._-]{8,64}$/);
    }
    expect(await idFor()).not.toBe(await idFor());
  });

  test('Client headers never change an answer (V-2.c1, V-2.c2, V-2.c3, V-2.c4, V-2.c5, V-2.c6, V-9.3)', async () => {
    const plain = await (await api.fetch('/v2/health')).text();
    for (const name of ['Client', 'Device', 'OS', 'App-Version', 'Build', 'Contract-Version']) {
      for (const value of ['normal', '', 'x'.repeat(2_048), 'caf\u00e9', '0.0.1']) {
        const response = await api.fetch('/v2/health', { headers: { [`X-SVC-${name}`]: value } });
        expect(response.status).toBe(200);
        expect(await response.text()).toBe(plain);
      }
    }
  });

  test('CORS and its preflight are answered (V-1.5a, V-1.5b, V-4.4)', async () => {
    const response = await api.fetch('/v2/health', { headers: { origin: 'https://efb.example' } });
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toContain('X-API-Contract-Version');
    const preflight = await api.fetch('/v2/me', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://efb.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('GET');
    const names = preflight.headers.get('access-control-allow-headers') ?? '';
    for (const name of [
      'Authorization',
      'X-Request-Id',
      'X-SVC-Client',
      'X-SVC-Device',
      'X-SVC-OS',
      'X-SVC-App-Version',
      'X-SVC-Build',
      'X-SVC-Contract-Version',
    ]) {
      expect(names).toContain(name);
    }
  });

  test('Plain HTTP is refused when HTTPS is required, unless a proxy forwarded HTTPS (V-0.2)', async () => {
    const strict = await testApi({
      databaseUrl: api.context.databaseUrl,
      env: { REQUIRE_HTTPS: '1', TRUSTED_PROXIES: '1' },
    });
    try {
      const refused = await strict.fetch('/v2/health');
      expect(refused.status).toBe(403);
      expect(await json(refused)).toMatchObject({ requestId: refused.headers.get('x-request-id') });
      expect((await strict.fetch('/v2/health', { headers: { 'x-forwarded-proto': 'https' } })).status).toBe(
        200,
      );
    } finally {
      await strict.close();
    }
  });
});

describe('GET /v2/openapi.json', () => {
  test('The document lists three paths, agrees with the header and is cacheable (V-4.t2, V-4.3b, V-9.2, V-3.1, V-6.1, V-5.12, V-9.4)', async () => {
    const response = await api.fetch('/v2/openapi.json');
    const document = (await response.json()) as {
      openapi: string;
      info: { version: string };
      paths: Record<string, object>;
    };
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe(response.headers.get('x-api-contract-version'));
    expect(Object.keys(document.paths)).toEqual(['/v2/health', '/v2/openapi.json', '/v2/me']);
    for (const path of Object.values(document.paths)) expect(Object.keys(path)).toEqual(['get']);
    expect(JSON.stringify(document)).not.toMatch(/"in":"query"|webhooks|login/);
    const etag = response.headers.get('etag') ?? '';
    const again = await api.fetch('/v2/openapi.json', { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  test('The identity schema matches token properties and live answers (V-2.i1, V-2.i2, V-2.i3, V-2.i4, V-5.2a, V-5.3, V-5.4, V-5.5, V-5.6, V-5.9, V-7.3, V-4.5)', async () => {
    const document = await json(await api.fetch('/v2/openapi.json'));
    const text = JSON.stringify(document);
    const ajv = new Ajv2020({ strict: false, formats: { 'date-time': true, 'uri-reference': true } });
    ajv.addSchema(document, 'v2');
    const validate = (name: string, value: unknown) => {
      const check = ajv.getSchema(`v2#/components/schemas/${name}`);
      expect(check?.(value), JSON.stringify(check?.errors)).toBe(true);
    };
    validate('Health', await json(await api.fetch('/v2/health')));
    validate('Error', await json(await api.fetch('/v2/me')));
    validate('Error', await json(await api.fetch('/v2/nothing')));
    validate('Identity', {
      userId: 1,
      applicationId: 'a',
      scopes: ['s'],
      tokenExpiresAt: '2026-01-01T00:00:00+00:00',
    });
    expect(text).toContain('invalid_token');
    expect(text).toMatch(/opaque/);
    expect(text).toMatch(/few minutes/);
    expect(text).toMatch(/scopes/);
    expect(text).toMatch(/bound to one deployment/);
    expect((await api.fetch('/v2/health')).status).toBe(200);
    expect((await api.fetch('/v2/openapi.json')).status).toBe(200);
  });
});
