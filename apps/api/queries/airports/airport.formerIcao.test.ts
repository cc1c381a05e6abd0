/** An airport whose code changed is found by each of its codes, and the answers say which one they used. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseNotamTexts } from '#domain/notam/parse.ts';
import { airportWrites } from '#store/postgres/airports/import.ts';
import { notamWrites } from '#store/postgres/notam/notam.ts';
import { metarWrites, tafWrites } from '#store/postgres/weather/reports.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { readFaaAirports } from '#test/support/airports.ts';

let api: TestApi;
let user: TestUser;
let key: string;

const text = `A0001/26 NOTAMN\nQ) KZMA/QMRLC/IV/NBO/A/000/999/2641N08006W005\nA) KPBI B) 2609010000 C) 2612280000
E) RWY 10L/28R CLSD\n\n`;
const metar = (icao: string, time: string) => ({
  icao,
  observedAt: `2026-09-16T${time.slice(0, 2)}:${time.slice(2)}:00.000Z`,
  raw: `METAR ${icao} 16${time}Z 09012KT 10SM FEW030 29/23 A3002`,
  source: 'AWC' as const,
});

beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  await api.grant(user, 'EFB_PRO_M');
  key = await api.key({ weather: true });
  const now = api.context.clock.now();
  const { airports, source } = await readFaaAirports(now);
  const find = (icao: string) => {
    const found = airports.find((airport) => airport.icao === icao);
    if (!found) throw new Error(`${icao} is not in the FAA file`);
    return found;
  };
  const stored = [
    { ...find('KDJT'), formerIcaos: ['KPBI'] },
    { ...find('KBOS'), icao: 'UZTT', formerIcaos: ['UTTT'] },
  ];
  const { records } = parseNotamTexts(text);
  await api.context.postgres.transaction(async (tx) => {
    await airportWrites(tx).storeImport(stored, { source, at: now });
    await notamWrites(tx).store(records, { source: 'test', now, isComplete: true });
    await metarWrites(tx).store([metar('KPBI', '1153'), metar('KDJT', '1053'), metar('UZTT', '1130')], now);
    await tafWrites(tx).store(
      [
        {
          icao: 'KDJT',
          issuedAt: '2026-09-16T11:20:00.000Z',
          validFrom: '2026-09-16T12:00:00.000Z',
          validTo: '2026-09-17T18:00:00.000Z',
          raw: 'TAF KDJT 161120Z 1612/1718 09010KT P6SM FEW030',
          source: 'AWC',
        },
      ],
      now,
    );
  });
});
afterAll(() => api.close());

const ask = async (query: string, data: Record<string, unknown>) =>
  (await api.call(query, { token: user.token, devKey: key, data })).body;
const land = (airport: string, runway: string) =>
  ask('performance', {
    requestType: 'LANDING',
    landingMode: 'inflight',
    units: { distance: 'meter' },
    aircraft: { file: '737-800-7B26', userRegistration: null, virtualAirline: null },
    airport,
    runway,
    weather: { windDirection: 90, windSpeed: 12, temperature: 29, qnh: 1016 },
    runwayCondition: { state: 'DRY' },
    weight: { landingWeight: 60_000 },
  });

test.each(['KPBI', 'KDJT'])('The airport is returned with the NOTAM of both codes (%s)', async (icao) => {
  expect(await ask('airport', { icao })).toMatchObject({
    airport: {
      icao: 'KDJT',
      formerIcaos: ['KPBI'],
      runways: expect.arrayContaining([
        expect.objectContaining({ ident: '10L', isClosed: true }),
        expect.objectContaining({ ident: '14', isClosed: false }),
      ]) as unknown,
    },
  });
});

test.each(['KPBI', 'KDJT'])(
  'The weather is the latest report under either code and names that code (%s)',
  async (icao) => {
    expect(await ask('weather', { icao })).toMatchObject({
      metar: { icao: 'KPBI', metar2SVC: { '10l': { windSpeed: 12 } } },
      taf: { icao: 'KDJT' },
      notice: {
        code: 'RENAMED_ICAO',
        nearest: ['KDJT'],
        message: expect.stringContaining('KPBI') as unknown,
      },
    });
  },
);

test('A landing requested by the former code equals one by the current code plus a caution, and closed runways are closed', async () => {
  const given = await land('KPBI', '14');
  expect(given).toMatchObject({
    cautions: expect.arrayContaining([
      expect.objectContaining({ code: 'FORMER_ICAO', field: 'airport' }),
    ]) as unknown,
  });
  const present = await land('KDJT', '14');
  expect(JSON.stringify(present)).not.toContain('FORMER_ICAO');
  const landed = (body: Record<string, unknown>) => (body['performance'] as { lda: number }).lda;
  expect(landed(given)).toBe(landed(present));
  expect(await land('KPBI', '10L')).toMatchObject({ error: { code: 'RUNWAY_CLOSED' } });
});

test('A code that was never in use stays unknown', async () => {
  expect(await ask('airport', { icao: 'KPBX' })).toMatchObject({ error: { code: 'AIRPORT_NOT_FOUND' } });
});

test('A route has the latest reports under either code of its airports, each airport once', async () => {
  const waypoints = [
    { ident: 'KPBI', latitude: 26.68, longitude: -80.1 },
    { ident: 'UTTT', latitude: 42.36, longitude: -71.01 },
  ];
  const near = expect.closeTo(0, 0) as number;
  const { airports } = await ask('weatherRoute', { waypoints });
  expect(airports).toMatchObject([
    { icao: 'KPBI', role: 'departure', offRoute: near, metar: { date: '2026-09-16 11:53:00' }, taf: {} },
    { icao: 'UTTT', role: 'destination', offRoute: near, metar: { date: '2026-09-16 11:30:00' }, taf: null },
  ]);
  const between = { latitude: 34, longitude: -76 };
  const points = waypoints.map(({ latitude, longitude }) => ({ latitude, longitude }));
  const { airports: stations } = await ask('weatherRoute', { waypoints: [points[0], between, points[1]] });
  expect(stations).toMatchObject([
    { icao: 'KDJT', role: 'station', metar: { date: '2026-09-16 11:53:00' }, taf: {} },
    { icao: 'UZTT', role: 'station', metar: { date: '2026-09-16 11:30:00' } },
  ]);
});
