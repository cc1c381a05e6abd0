import { afterAll, beforeAll, expect, test } from 'vitest';
import { metarWrites, tafWrites } from '#store/postgres/weather/reports.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { statementsDuring } from '#test/support/statements.ts';

let api: TestApi;
let pilot: TestUser;
const stations = Array.from(
  { length: 40 },
  (_, i) => `X${String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26))}A`,
);

const ask = (icao: unknown, more: object = {}) =>
  api.call('weatherBatch', { token: pilot.token, data: { icao, ...more } });
const airportsOf = async (icao: unknown, more: object = {}) =>
  (await ask(icao, more)).body['airports'] as Record<string, unknown>[];

const store = (...reports: [icao: string, time: string, groups: string][]) =>
  api.context.postgres.transaction((tx) =>
    metarWrites(tx).store(
      reports.map(([icao, time, groups]) => ({
        icao,
        observedAt: `2026-09-16T${time}:00.000Z`,
        raw: `METAR ${icao} 16${time.replace(':', '')}Z ${groups}`,
        source: 'AWC',
      })),
      api.context.clock.now(),
    ),
  );

beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
  await importAirports(api.context, ['KJFK', 'KBOS']);
  await store(
    ['KJFK', '11:51', '03012KT 2SM BR OVC006 12/09 A3002'],
    ...stations.map((icao): [string, string, string] => [icao, '11:50', '24008KT CAVOK 20/10 Q1015']),
  );
  await api.context.postgres.transaction((tx) =>
    tafWrites(tx).store(
      [
        {
          icao: 'KJFK',
          issuedAt: '2026-09-15T05:20:00.000Z',
          validFrom: '2026-09-15T06:00:00.000Z',
          validTo: '2026-09-16T12:00:00.000Z',
          raw: 'TAF KJFK 150520Z 1506/1612 03010KT P6SM BKN030',
          source: 'AWC',
        },
      ],
      api.context.clock.now(),
    ),
  );
});
afterAll(() => api.close());

test('Each code has an entry in the order of the request, with its own error inside (M-2.11.f1)', async () => {
  const { status, body } = await ask(['kjfk', 'QQQQ', 'KBOS', ' KJFK ', 'K-1']);
  expect(status).toBe(200);
  expect(body).toEqual({
    apiVersion: '1.3.6',
    airports: [
      {
        icao: 'KJFK',
        error: null,
        metar: {
          icao: 'KJFK',
          source: 'AWC',
          date: '2026-09-16 11:51:00',
          text: 'METAR KJFK 161151Z 03012KT 2SM BR OVC006 12/09 A3002',
        },
        taf: {
          icao: 'KJFK',
          source: 'AWC',
          date: '2026-09-15 05:20:00',
          text: 'TAF KJFK 150520Z 1506/1612 03010KT P6SM BKN030',
          validityHasEnded: true,
        },
        flightCategory: 'IFR',
      },
      {
        icao: 'QQQQ',
        error: { code: 'UNKNOWN_ICAO', message: 'No airport or station QQQQ is known.' },
        metar: null,
        taf: null,
      },
      { icao: 'KBOS', error: null, metar: null, taf: null, flightCategory: null },
      { icao: 'K-1', error: { code: 'INVALID_ICAO', message: 'Invalid ICAO.' }, metar: null, taf: null },
    ],
  });
});

test('Every part can be included, as in weather', async () => {
  const include = [
    'forecast',
    'airAbove',
    'densityAltitude',
    'runwaysInUse',
    'nearestStation',
    'history',
    'sun',
  ];
  const at = '2026-09-16T11:55:00Z';
  const [inBatch] = await airportsOf(['KJFK'], { include, at });
  const { body: alone } = await api.call('weather', {
    token: pilot.token,
    data: { icao: 'KJFK', include, at },
  });
  for (const part of include) expect([part, inBatch?.[part]]).toEqual([part, alone[part]]);
  expect(inBatch?.['forecast']).toMatchObject({ problem: null, prevailing: { windDirection: 30 } });
});

test('A new report is in the next answer', async () => {
  expect(await airportsOf(['KBOS', 'KJFK'])).toMatchObject([{ metar: null }, {}]);
  await store(['KBOS', '11:54', '05008KT 10SM FEW050 11/08 A3003']);
  expect(await airportsOf(['KBOS', 'KJFK'])).toMatchObject([
    { flightCategory: 'VFR' },
    { flightCategory: 'IFR' },
  ]);
});

test('Forty airports need as many statements as two, and none when they are cached', async () => {
  const { caches } = api.running.services;
  const forget = () => {
    for (const cache of [caches.metars, caches.tafs, caches.datis, caches.notams, caches.airports])
      cache.clear();
  };
  const reads = async (icao: string[]) =>
    (await statementsDuring(() => airportsOf(icao))).filter((text) =>
      /FROM (?:metar|taf|datis|notam|airport|runway)/.test(text),
    ).length;
  forget();
  const two = await reads(['KJFK', 'KBOS']);
  forget();
  const all = await reads([...stations.slice(0, 38), 'KJFK', 'KBOS']);
  expect([two, all]).toEqual([9, 9]);
  expect(await reads(['KJFK', 'KBOS'])).toBe(0);
});

test.each([
  [[], 'INVALID_ICAO'],
  [undefined, 'MISSING_ICAO'],
  ['KJFK', 'INVALID_ICAO'],
  [[5], 'INVALID_ICAO'],
  [Array.from({ length: 41 }, () => 'KJFK'), 'TOO_MANY_ICAO'],
])('%j is refused', async (icao, code) => {
  const { status, body } = await ask(icao);
  expect(status).toBe(400);
  expect(body).toMatchObject({ Error: [{ code }] });
});
