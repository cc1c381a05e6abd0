/** Reads by GET: the answers, policy and errors of POST, and what HTTP caches need. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { loadRegistries } from '#api/registry.ts';

let api: TestApi;
let key: string;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
  key = await api.key();
  user = await api.user({ key });
  await importAirports(api.context, ['KJFK']);
});
afterAll(() => api.close());

const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await api.fetch(path, {
    method,
    headers: { authorization: `Bearer ${user.token}`, 'x-dev-key': key, ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};
const bodyOf = ({ text }: { text: string }): unknown => JSON.parse(text);

describe('reads by GET', () => {
  test('GET answers and logs a call as POST does', async () => {
    const posted = await api.call('airport', { token: user.token, data: { icao: 'KJFK' } });
    const read = await get('/api/get/airport?icao=KJFK');
    expect([read.status, bodyOf(read)]).toEqual([200, posted.body]);
    expect(Number(read.headers.get('x-svc-log-id'))).toBeGreaterThan(
      Number(posted.headers.get('x-svc-log-id')),
    );
    expect(read.headers.get('ratelimit')).not.toBeNull();
  });

  test('Numbers and booleans are converted by the schema, and strings stay strings', async () => {
    for (let i = 0; i < 2; i += 1)
      await api.call('performance', {
        token: user.token,
        data: {
          requestType: 'LANDING',
          landingMode: 'inflight',
          aircraft: { file: '737-800-7B26' },
          airport: 'KJFK',
          runway: '04L',
          weight: { landingWeight: 60_000 },
        },
      });
    expect(bodyOf(await get('/api/get/performanceHistory?limit=1'))).toMatchObject({
      count: 1,
      hasMore: true,
    });
    const before = await get('/api/get/performanceHistory?before=1');
    expect([before.status, before.text]).toEqual([400, expect.stringContaining('before')]);
  });

  test('The answer has an ETag that saves the transfer, and a private cache lifetime', async () => {
    const first = await get('/api/get/weather?icao=KJFK');
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, first.headers.get('cache-control'), etag]).toEqual([
      200,
      'private, max-age=60',
      expect.stringMatching(/^W\/"[\da-f]{32}"$/),
    ]);
    expect(first.headers.get('vary')).toMatch(/Authorization.*X-Dev-Key/);
    const again = await get('/api/get/weather?icao=KJFK', { 'if-none-match': etag });
    expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
    const head = await get('/api/get/weather?icao=KJFK', {}, 'HEAD');
    expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', etag]);
    expect((await get('/api/get/airportStatus')).headers.get('cache-control')).toBe('public, max-age=60');
    expect((await get('/api/get/fleetList')).headers.get('cache-control')).toBe('private, no-cache');
  });

  test.each<[string, Record<string, string>, number, RegExp]>([
    ['/api/get/weather', {}, 400, /Missing ICAO\./],
    ['/api/get/weather?icao=KJFK&icao=KLGA', {}, 400, /Invalid ICAO\..*is a list/],
    ['/api/get/weather?icao=KJFK', { authorization: '' }, 401, /AUTH_REQUIRED/],
    ['/api/get/weather?icao=KJFK&units=metric', { 'x-strict': '1' }, 400, /units: is not known/],
    ['/api/get/wether?icao=KJFK', {}, 404, /did you mean \/api\/get\/weather\?/],
    ['/api/get/login?email=a', {}, 404, /POST \/api with/],
    ['/api/get/zzzzzz', {}, 404, /\/api\/get\/weather\?icao=KJFK/],
  ])('A GET of %s with %j is refused like a POST and never cached', async (path, headers, status, line) => {
    const refused = await get(path, headers);
    expect([refused.status, refused.headers.get('cache-control'), refused.headers.get('etag')]).toEqual([
      status,
      'no-store',
      null,
    ]);
    expect(refused.text).toMatch(line);
  });

  test('Only reads declare GET, and each is in the OpenAPI document with its parameters', async () => {
    const { paths } = bodyOf(await get('/api/openapi.json')) as {
      paths: Record<string, { get?: { parameters: { name: string; in: string; required?: true }[] } }>;
    };
    const { operations } = (await loadRegistries()).queries;
    const declared = operations.filter(({ get: read }) => read);
    expect(declared.length).toBeGreaterThan(15);
    for (const { name, tx } of declared)
      expect([name, tx, paths[`/api/get/${name}`]?.get !== undefined]).toEqual([name, 'read', true]);
    expect(paths['/api/get/weather']?.get?.parameters).toContainEqual(
      expect.objectContaining({ name: 'icao', in: 'query', required: true }),
    );
  });
});
