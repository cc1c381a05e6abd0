/** Public documents: compressed while they are sent, an ETag for their content, limited per network. */
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mapFileKey, mapFileWrites } from '#store/postgres/airports/map-file.ts';
import { importAirports } from '#test/support/airports.ts';
import { testApi } from '../api.ts';
import type { TestApi } from '../api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi();
  await importAirports(api.context, ['KJFK', 'KBOS']);
});
afterAll(() => api.close());

interface Raw {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A raw request: fetch would decompress the response. */
const get = (path: string, headers: Record<string, string> = {}): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const sent = request(`${api.url}${path}`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.once('error', reject);
    sent.end();
  });

/** The document plain and in gzip. */
const inEachEncoding = async (path: string) => {
  const plain = await get(path, { 'accept-encoding': 'identity' });
  expect([path, plain.status, plain.headers['content-encoding']]).toEqual([path, 200, undefined]);
  const packed = await get(path, { 'accept-encoding': 'gzip' });
  expect([path, packed.headers['content-encoding']]).toEqual([path, 'gzip']);
  expect(gunzipSync(packed.body).equals(plain.body)).toBe(true);
  return { plain, packed };
};

const storeMap = async () => {
  const text = `{"type":"FeatureCollection","features":[${' '.repeat(2_000)}]}`;
  const name = `airports-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.geojson`;
  const { storage, postgres, clock } = api.context;
  await storage.put(mapFileKey(name), Buffer.from(text), 'application/geo+json');
  const file = { name, features: 0, bytes: text.length, createdAt: clock.now() };
  await postgres.transaction((tx) => mapFileWrites(tx).switchTo(file));
};

describe('encodings', () => {
  test.each([
    '/api/openapi.json',
    '/api/schemas/login.json',
    '/v2/openapi.json',
    '/status/leaflet.css',
    '/status/land.json',
    '/status/leaflet.js',
    '/map/airports.geojson',
  ])('%s has a weak ETag for its content in every encoding, and 304 for it', async (path) => {
    if (path.startsWith('/map/')) await storeMap();
    const { plain, packed } = await inEachEncoding(path);
    const etag = plain.headers.etag ?? '';
    expect(etag).toMatch(/^W\/"[\w.-]+"$/);
    expect([packed.headers.etag, packed.headers.vary]).toEqual([etag, plain.headers.vary]);
    expect(plain.headers.vary).toContain('Accept-Encoding');
    for (const encoding of ['identity', 'gzip']) {
      const asked = { 'accept-encoding': encoding };
      const again = await get(path, { ...asked, 'if-none-match': `"other", ${etag}` });
      expect([again.status, again.headers.etag, again.body.length]).toEqual([304, etag, 0]);
      expect(again.headers.vary).toContain('Accept-Encoding');
      expect((await get(path, { ...asked, 'if-none-match': '"other"' })).status).toBe(200);
    }
  });

  test.each([
    [undefined, undefined],
    ['*', 'gzip'],
    ['gzip, deflate, br, zstd', 'gzip'],
    ['gzip;q=1, br;q=0.5', 'gzip'],
    ['zstd', undefined],
    ['br, gzip;q=0', undefined],
    ['*;q=0', undefined],
    ['identity, gzip;q=0.5', undefined],
  ])('Accept-Encoding %s is answered with %s', async (accepted, encoding) => {
    const answer = await get(
      '/api/openapi.json',
      accepted === undefined ? {} : { 'accept-encoding': accepted },
    );
    expect([answer.status, answer.headers['content-encoding']]).toEqual([200, encoding]);
  });

  test('Before the map file exists the map is generated once for each state of the airports', async () => {
    const fresh = await testApi();
    await importAirports(fresh.context, ['KJFK']);
    const etagOf = async () => {
      const answer = await fresh.fetch('/map/airports.geojson');
      const { features } = (await answer.json()) as { features: unknown[] };
      return { etag: answer.headers.get('etag'), count: features.length };
    };
    const first = await etagOf();
    expect([first.count, await etagOf()]).toEqual([1, first]);
    await importAirports(fresh.context, ['KJFK', 'KBOS']);
    const second = await etagOf();
    expect([second.count, second.etag === first.etag]).toEqual([2, false]);
    await fresh.close();
  });
});

describe('limits', () => {
  /** 3 documents and 12 pictures a minute. */
  const limited = () =>
    testApi({
      databaseUrl: api.context.databaseUrl,
      env: { RATE_LIMIT_SCALE: '0.01', TRUSTED_PROXIES: '1' },
    });

  test('Documents and pictures are limited separately, with the error form of their path, and health checks are not limited', async () => {
    const other = await limited();
    const from = (ip: string, path: string) => other.fetch(path, { headers: { 'x-forwarded-for': ip } });
    const paths = ['/status', '/status.json', '/api/schemas', '/api/openapi.json'];
    const answers = [];
    for (const path of paths) answers.push(await from('192.0.2.1', path));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers[0]?.headers.get('ratelimit')).toBe('"documents";r=2;t=60');
    expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await answers[3]?.json()).toMatchObject({ success: false, error: { code: 'RATE_LIMITED' } });
    const problem = await from('192.0.2.1', '/v2/openapi.json');
    expect([problem.status, await problem.json()]).toMatchObject([429, { code: 'rate_limited' }]);
    expect(problem.headers.get('retry-after')).toMatch(/^\d+$/);
    expect((await from('192.0.2.2', '/status')).status).toBe(200);
    expect((await from('192.0.2.1', '/pictures/default-profile.svg')).status).toBe(200);
    for (let i = 0; i < 20; i += 1) expect((await from('192.0.2.1', '/healthz')).status).toBe(200);
    const pictures = [];
    for (let i = 0; i < 13; i += 1)
      pictures.push(
        (await from('192.0.2.3', '/graphics/00000000-0000-0000-0000-000000000000/wind.svg')).status,
      );
    expect(pictures).toEqual([...Array.from({ length: 12 }, () => 404), 429]);
    await other.close();
  });

  test.each([
    ['/share?t=x', 3, '192.0.2.9'],
    ['/reset-password?token=x', 3, '192.0.2.10'],
    ['/console/sign-in', 3, '192.0.2.11'],
    ['/logos/1.png', 12, '192.0.2.12'],
    ['/products/x.png', 12, '192.0.2.13'],
  ])('%s is counted before any work is done', async (path, points, ip) => {
    const other = await limited();
    const headers = { 'x-forwarded-for': ip, 'x-forwarded-proto': 'https' };
    const statuses = [];
    for (let i = 0; i <= points; i += 1) statuses.push((await other.fetch(path, { headers })).status);
    expect([statuses.indexOf(429), statuses.length]).toEqual([points, points + 1]);
    await other.close();
  });

  test('IPv6 clients are counted by their /64 prefix', async () => {
    const other = await limited();
    const statuses = [];
    for (const ip of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:2:a:b:c:d', '2001:db8:1:2::2'])
      statuses.push((await other.fetch('/status', { headers: { 'x-forwarded-for': ip } })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const next = await other.fetch('/status', { headers: { 'x-forwarded-for': '2001:db8:1:3::1' } });
    expect(next.status).toBe(200);
    await other.close();
  });
});
