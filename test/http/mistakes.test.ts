/** Common mistakes, each with the line of the answer that shows how to correct it. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { runSql } from '#test/support/sql.ts';
import { importAirports } from '#test/support/airports.ts';

let api: TestApi;
let key: string;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
  key = await api.key();
  user = await api.user({ key });
  await importAirports(api.context, ['KJFK', 'KLGA', 'KEWR']);
  await runSql(api.context.postgres)`
    UPDATE airport SET iata = substr(icao, 2)`;
});
afterAll(() => api.close());

const send = async (
  path: string,
  body: string | Uint8Array<ArrayBuffer> | object,
  headers: Record<string, string> = {},
): Promise<string> => {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  const response = await api.fetch(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${user.token}`,
      'x-dev-key': key,
      ...headers,
    },
    body: isRaw ? body : JSON.stringify(body),
  });
  return `${response.status} ${await response.text()}`;
};

const landing = (over: object = {}) => ({
  query: 'performance',
  data: {
    requestType: 'LANDING',
    landingMode: 'inflight',
    aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
    airport: 'KJFK',
    runway: '04L',
    weight: { landingWeight: 60_000 },
    ...over,
  },
});

describe('malformed bodies', () => {
  test.each([
    ['a comma too many', '{"query":"airport","data":{"icao":"KJFK",}}', 'column 42'],
    ['single quotes', "{'query':'airport'}", 'column 2: Expected property name'],
    ['NaN', '{"query":"weather","data":{"icao":NaN}}', "column 35: Unexpected token 'N'"],
    ['half a body', '{"query":"weather","data":{', 'column 28: Expected property name'],
  ])('%s is a 400 with position and reason', async (_, body, line) => {
    const answer = await send('/api', body);
    expect(answer).toMatch(/^400 .*"INVALID_JSON"/);
    expect(answer).toContain(line);
  });

  test.each([
    ['text that is not compressed', '{"query":"weather"}'],
    ['a compressed body that ends too early', new Uint8Array(gzipSync('{"query":"weather"}')).slice(0, 12)],
  ])('%s announced as gzip is a 400 that says so', async (_, body) => {
    expect(await send('/api', body, { 'content-encoding': 'gzip' })).toMatch(
      /^400 .*is not what its Content-Encoding says/,
    );
  });
});

test.each(['/api/weather', '/v1/api/weather', '/weather', '/api/v1/weather', '/api/wether'])(
  'POST %s is a 404 that shows how to call the query',
  async (path) => {
    expect(await send(path, { icao: 'KJFK' })).toMatch(/^404 .*POST \/api with \{\\"query\\":\\"weather\\"/);
  },
);

test.each(['/api/', '/API', '/v1/api', '/api/v1'])('POST %s is a 404 that names the path', async (path) => {
  expect(await send(path, { query: 'weather', data: { icao: 'KJFK' } })).toMatch(/^404 .*the path is \/api,/);
});

test('GET /nothing is a 404 without a suggestion', async () => {
  expect(JSON.parse((await send('/nothing/at/all', '{}')).slice(4))).toEqual({
    success: false,
    error: {
      message: 'Not found.',
      code: 'NOT_FOUND',
      status: 404,
      docUrl: `${api.context.config.BASE_URL}/docs/guide/errors#NOT_FOUND`,
    },
  });
});

test('A token without "Bearer" and a developer key in its place are distinguished from a wrong token', async () => {
  const query = { query: 'refreshUserData' };
  expect(await send('/api', query, { authorization: user.token })).toMatch(
    /^401 .*the form is \\"Authorization: Bearer <token>\\"/,
  );
  expect(await send('/api', query, { authorization: `Bearer ${key}` })).toMatch(
    /^401 .*this is a developer key; send it as X-Dev-Key/,
  );
  expect(await send('/api', query, { authorization: 'Bearer abc.def.ghi' })).not.toContain('hint');
});

test('The hint for a missing developer key says where to send it; the message is unchanged', async () => {
  const withoutKey = await api.user({ key: await api.key({ efb: false }) });
  const headers = { authorization: `Bearer ${withoutKey.token}`, 'content-type': 'application/json' };
  const call = async (more: Record<string, string>) =>
    (
      await api.fetch('/api', {
        method: 'POST',
        headers: { ...headers, ...more },
        body: JSON.stringify({ query: 'navdataSearch', data: { query: 'JFK' } }),
      })
    ).json() as Promise<{ Error: unknown[] }>;
  const message = 'EFB access not available for your Developer Key.';
  expect((await call({})).Error).toEqual([
    { message, code: 'ACCESS_DENIED', hint: 'the call has no developer key; send it as X-Dev-Key' },
  ]);
  expect((await call({ 'x-api-key': key })).Error).toEqual([
    { message, code: 'ACCESS_DENIED', hint: 'X-Api-Key is not read; send the developer key as X-Dev-Key' },
  ]);
});

describe('mistyped names', () => {
  test('A weather call with {"ICAO"} gets the contract’s message and the correct field name', async () => {
    expect(JSON.parse((await send('/api', { query: 'weather', data: { ICAO: 'KJFK' } })).slice(4))).toEqual({
      Error: [
        {
          message: 'Missing ICAO.',
          code: 'MISSING_ICAO',
          hint: 'ICAO: is not known; did you mean icao?',
        },
      ],
    });
  });

  test.each([
    ['weather', { icao: 'JFK' }],
    ['weather', { icao: 'jfk' }],
    ['airport', { icao: 'JFK' }],
  ])('%s with %j: the answer names the airport of the IATA code', async (query, data) => {
    expect(await send('/api', { query, data })).toMatch(
      /^400 .*JFK is the IATA code of KJFK \(John F Kennedy Intl\); send the ICAO code/,
    );
  });

  test('An IATA code leads to its airport, an unknown one to none', async () => {
    expect(await send('/api', landing({ airport: 'JFK' }))).toMatch(/^400 .*IATA code of KJFK/);
    expect(await send('/api', { query: 'weather', data: { icao: 'ZZZ' } })).not.toContain('IATA');
  });

  test('An aircraft in another letter case is found, and the type in a flight plan leads to its variants', async () => {
    const found = await send(
      '/api',
      landing({ aircraft: { file: '737-800-7b26', userRegistration: null, virtualAirline: null } }),
    );
    expect(found).toMatch(/^200 /);
    expect(
      await send(
        '/api',
        landing({ aircraft: { file: 'B738', userRegistration: null, virtualAirline: null } }),
      ),
    ).toMatch(/^404 .*"nearest":\["737-800-7B24","737-800-7B26"/);
  });

  test('A body too large to be typed by hand is refused without a hint', async () => {
    const filler = Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`filler number ${i}`, i]));
    const data = { ICAO: 'KJFK', ...filler };
    expect(await send('/api', { query: 'weather', data })).toBe(
      '400 {"Error":[{"message":"Missing ICAO.","code":"MISSING_ICAO"}]}',
    );
  });

  test('An object sent as another type is described', async () => {
    expect(await send('/api', landing({ units: 'metric' }))).toMatch(/units: has the members weight, wind,/);
    expect(await send('/api', landing({ weight: 60_000 }))).toMatch(
      /weight: has the members .*landingWeight/,
    );
  });
});

describe('calculations with a mistyped key', () => {
  test.each([
    ['weather.windSpede', { weather: { windDirection: 30, windSpede: 12 } }, 'weather.windSpeed'],
    ['weather.wind', { weather: { wind: '030/12' } }, 'weather.windDirection or weather.windSpeed'],
    ['weathr', { weathr: { windDirection: 30 } }, 'weather'],
    ['flap', { flap: '30' }, 'configuration.flap'],
  ])(
    '%s is refused with the intended name, and ignored as before with X-Strict: 0',
    async (path, over, meant) => {
      expect(await send('/api', landing(over))).toMatch(
        new RegExp(`^400 .*${path}: is not known; did you mean ${meant}\\?`),
      );
      expect(await send('/api', landing(over), { 'x-strict': '0' })).toMatch(/^200 .*UNKNOWN_FIELD/);
    },
  );

  test('A mistyped key beside the right one, or similar to none, remains a caution', async () => {
    const given = { weather: { windDirection: 30, windSpeed: 12, windSpede: 12 }, colour: 'red' };
    expect(await send('/api', landing(given))).toMatch(/^200 .*windSpede is not known and was ignored/);
  });
});
