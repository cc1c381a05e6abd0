/** Optional parts of the answers of `weather` and `weatherBatch`. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCycleBuilder } from '#data/feeds/winds/build.ts';
import { addMessages } from '#data/feeds/winds/files.ts';
import { datisWrites } from '#store/postgres/weather/datis.ts';
import { metarWrites, tafWrites } from '#store/postgres/weather/reports.ts';
import { windCycleWrites } from '#store/postgres/winds/cycles.ts';
import { forecastHours } from '#domain/winds/snapshot.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { makeHour } from '#test/support/grib/gfs.ts';
import { until } from '#test/support/until.ts';

let api: TestApi;
let pilot: TestUser;

type Body = Record<string, unknown>;
interface Conditions {
  windDirection: number;
  windSpeed: number;
  gust: number | null;
  flightCategory: string;
  runwayCondition: { landingEnroute: string; evidence: string | null };
  runways: Record<string, { headwind: number; crosswindSpeed: number; crosswindDir: string }>;
}

const taf =
  'TAF KJFK 161120Z 1612/1718 03010KT P6SM BKN030 FM161800 31015G25KT 5SM -RA BKN012 TEMPO 1618/1622 1SM +SN OVC004 ' +
  'PROB30 1622/1704 1/4SM FG VV001';

const storeMetars = (...reports: [icao: string, time: string, groups: string][]) =>
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

const ask = async (data: Body, query = 'weather') => api.call(query, { token: pilot.token, data });
const parts = async (icao: string, include: string[], at?: string): Promise<Body> =>
  (await ask({ icao, include, ...(at ? { at } : {}) })).body;

beforeAll(async () => {
  api = await testApi();
  pilot = await api.user();
  await importAirports(api.context, ['KJFK', 'KBOS', 'KEWR', 'KDEN']);
  await storeMetars(['KJFK', '04:51', '03012KT 10SM BKN030 12/09 A3002']);
  await storeMetars(['KJFK', '09:51', '03012KT 2SM BR OVC006 12/11 A3002']);
  await storeMetars(
    ['KJFK', '11:51', '03012G20KT 10SM -RA BKN020 12/09 A3002'],
    ['KEWR', '11:51', '04010KT 10SM SCT040 13/08 A3001'],
    ['KDEN', '11:53', '22015KT 10SM CLR 35/02 A2992'],
    ['KBOS', '05:54', '05008KT 10SM FEW050 11/08 A3003'],
  );
  const now = api.context.clock.now();
  await api.context.postgres.transaction(async (tx) => {
    const validity = { validFrom: '2026-09-16T12:00:00.000Z', validTo: '2026-09-17T18:00:00.000Z' };
    await tafWrites(tx).store(
      [{ icao: 'KJFK', issuedAt: '2026-09-16T11:20:00.000Z', ...validity, raw: taf, source: 'AWC' }],
      now,
    );
    const station = (icao: string, callsign: string, lines: string[]) => ({
      icao,
      frequency: null,
      atis: lines,
      callsign,
      atisCode: 'E',
    });
    await datisWrites(tx).store(
      [],
      [
        station('KJFK', 'KJFK_A_ATIS', [
          'KJFK ARR INFO E 1151Z. A2992. ILS RWY 4R APCH',
          'IN USE. ...ADVS YOU HAVE E',
        ]),
        station('KJFK', 'KJFK_D_ATIS', [
          'KJFK DEP INFO E 1151Z. TRL 180. DEPG RWY 4L. RWY 4L WET. NOTAMS... RWY 13L/31R CLSD.',
        ]),
      ],
      now,
    );
  });
});
afterAll(() => api.close());

test('Without `include` the answer has no optional parts', async () => {
  const { body } = await ask({ icao: 'KJFK' });
  expect(Object.keys(body).toSorted()).toEqual(
    ['apiVersion', 'metar', 'networkADAtis', 'networkBDAtis', 'runwayReports', 'taf'].toSorted(),
  );
});

describe('the TAF at a given time', () => {
  test('The prevailing and the temporary conditions of the TAF are given separately, with the wind on each runway', async () => {
    const { body } = await ask({ icao: 'KJFK', at: '2026-09-16T21:00:00+02:00' });
    const forecast = body['forecast'] as Body & { prevailing: Conditions; changes: (Body & Conditions)[] };
    expect(forecast).toMatchObject({
      at: '2026-09-16T19:00:00.000Z',
      problem: null,
      validFrom: '2026-09-16T12:00:00.000Z',
      validTo: '2026-09-17T18:00:00.000Z',
      groups: [
        {
          kind: 'FM',
          from: '2026-09-16T18:00:00.000Z',
          to: null,
          text: 'FM161800 31015G25KT 5SM -RA BKN012',
        },
      ],
      prevailing: {
        windDirection: 310,
        windSpeed: 15,
        gust: 25,
        visibility: 8_047,
        weather: ['-RA'],
        ceiling: 1_200,
        flightCategory: 'MVFR',
        runwayCondition: { landingEnroute: 'GOOD', landingDispatch: 'WET', rwycc: 5, evidence: '-RA' },
      },
      changes: [
        {
          kind: 'TEMPO',
          probability: null,
          to: '2026-09-16T22:00:00.000Z',
          windDirection: 310,
          flightCategory: 'LIFR',
          runwayCondition: { rwycc: 3, evidence: '+SN' },
        },
      ],
    });
    // 31L points to 301 degrees true: 15 kt from 310 are 15 along and 2 across; on 04L they come from the left.
    expect(forecast.prevailing.runways['31l']).toEqual({
      headwind: 15,
      gustHeadwind: 25,
      crosswindDir: 'R',
      crosswindSpeed: 2,
      vrefAdd: 17,
    });
    expect(forecast.prevailing.runways['04l']).toMatchObject({ crosswindDir: 'L', crosswindSpeed: 15 });
  });

  test.each([
    ['KJFK', '2026-09-16T11:00:00Z', 'BEFORE_VALIDITY', / is before the validity of the TAF, 2026-09-16T12/],
    ['KJFK', '2026-09-17T18:00:00Z', 'AFTER_VALIDITY', / is after the validity of the TAF, /],
    ['KEWR', '2026-09-16T14:00:00Z', 'NO_TAF', /has no TAF/],
  ])(
    'The forecast for %s at %s has the problem %s, and the METAR is still answered',
    async (icao, at, problem, message) => {
      const { status, body } = await ask({ icao, at });
      expect([status, body['metar'] === null]).toEqual([200, false]);
      expect(body['forecast']).toMatchObject({
        problem,
        message: expect.stringMatching(message) as string,
        prevailing: null,
        groups: [],
        changes: [],
      });
    },
  );
});

test('The answer has flight category, six hours of history and density altitude', async () => {
  const body = await parts('KJFK', ['flightCategory', 'history', 'densityAltitude']);
  expect(body['flightCategory']).toBe('MVFR');
  // The report of 04:51 is more than six hours old.
  expect(body['history']).toMatchObject([
    { icao: 'KJFK', date: '2026-09-16 11:51:00', flightCategory: 'MVFR' },
    { date: '2026-09-16 09:51:00', flightCategory: 'IFR', text: expect.stringContaining('OVC006') as string },
  ]);
  // 5,434 ft and 29.92 inHg: FAA-H-8083-25 gives 120 ft for each degree above standard, here 31 degrees.
  const { densityAltitude, pressureAltitude, isaDeviation } = (await parts('KDEN', ['densityAltitude']))[
    'densityAltitude'
  ] as Record<string, number>;
  expect(Math.abs((pressureAltitude ?? 0) - 5_434)).toBeLessThan(20);
  expect(isaDeviation).toBeCloseTo(30.8, 0);
  expect(Math.abs((densityAltitude ?? 0) - 9_000)).toBeLessThan(300);
});

test('Runways in use are those of the ATIS, otherwise a marked guess from the wind', async () => {
  expect((await parts('KJFK', ['runwaysInUse']))['runwaysInUse']).toEqual([
    {
      source: 'VATSIM',
      isGuess: false,
      arrival: ['04R'],
      departure: ['04L'],
      notInData: [],
      text: 'ILS RWY 4R; DEPG RWY 4L',
    },
  ]);
  expect((await parts('KEWR', ['runwaysInUse']))['runwaysInUse']).toEqual([
    {
      source: 'WIND',
      isGuess: true,
      arrival: ['04L', '04R'],
      departure: ['04L', '04R'],
      notInData: [],
      text: 'wind 040/10 kt',
    },
  ]);
});

test('An ATIS also gives QNH, transition level and runway condition', async () => {
  expect((await parts('KJFK', ['atis']))['atis']).toEqual([
    { source: 'VATSIM', callsign: 'KJFK_A_ATIS', transitionLevel: null, qnh: 1013, runwayConditions: [] },
    {
      source: 'VATSIM',
      callsign: 'KJFK_D_ATIS',
      transitionLevel: 180,
      qnh: null,
      runwayConditions: [{ runways: ['04L'], codes: null, surface: 'WET' }],
    },
  ]);
});

test('An airport without a current METAR gets the nearest reporting station with its distance', async () => {
  const { nearestStation } = await parts('KBOS', ['nearestStation']);
  // KBOS and KJFK are 162 NM apart.
  expect(nearestStation).toMatchObject({
    icao: 'KJFK',
    date: '2026-09-16 11:51:00',
    flightCategory: 'MVFR',
    text: expect.stringContaining('-RA') as string,
  });
  const { distance, bearing } = nearestStation as { distance: number; bearing: number };
  expect([Math.round(distance), Math.abs(bearing - 231) < 3]).toEqual([162, true]);
  expect((await parts('KJFK', ['nearestStation']))['nearestStation']).toBeNull();
});

test('Sunrise and sunset are those of the local day', async () => {
  // New York, 16 September 2026: 06:37 and 19:03 summer time.
  const { sun } = await parts('KJFK', ['sun']);
  const { sunrise, sunset, polar } = sun as Record<string, string | null>;
  expect(polar).toBeNull();
  const apart = (found: string | null | undefined, published: string) =>
    Math.abs(Date.parse(found ?? '') - Date.parse(published)) / 60_000;
  expect(apart(sunrise, '2026-09-16T10:37:00Z')).toBeLessThan(3);
  expect(apart(sunset, '2026-09-16T23:03:00Z')).toBeLessThan(3);
  expect(
    (await ask({ icao: 'ZZZZ', include: ['sun', 'airAbove', 'densityAltitude', 'nearestStation'] })).body,
  ).toMatchObject({
    sun: null,
    airAbove: null,
    densityAltitude: null,
    nearestStation: null,
  });
});

test('Upper air is null without a grid, otherwise from the grid at the requested time', async () => {
  expect((await parts('KJFK', ['airAbove']))['airAbove']).toMatchObject({
    source: null,
    freezingLevels: null,
  });
  const cycleMs = Date.parse('2026-09-16T06:00:00Z');
  const builder = createCycleBuilder();
  const levelsHpa = [500, 700, 850, 925, 1_000];
  // From the south at 10 m/s; 5 degrees C up to 700 hPa, minus 15 at 500 hPa.
  for (const hour of forecastHours) {
    const value = (field: 0 | 1 | 2, level: number) => [0, 10, level === 500 ? 258.15 : 278.15][field] ?? 0;
    addMessages(builder, makeHour({ cycleMs, levelsHpa, value }, hour).grib, 'fixture');
  }
  await api.context.postgres.transaction((tx) =>
    windCycleWrites(tx).store(builder.finish(), 'test', api.context.clock.now()),
  );
  await until('the cycle is loaded', () => api.running.services.winds.current() !== null);
  const { airAbove } = await parts('KJFK', ['airAbove'], '2026-09-16T19:00:00Z');
  expect(airAbove).toMatchObject({
    at: '2026-09-16T19:00:00.000Z',
    isFreezingAtField: false,
    circuit: { altitude: 1_513, windDirection: 180, windSpeed: 19, temperature: 5 },
  });
  const { freezingLevels, circuit } = airAbove as {
    freezingLevels: number[];
    circuit: { isaDeviation: number };
  };
  // A quarter of the way from 9,880 to 18,290 ft, on a QNH 3 hPa above standard.
  expect(freezingLevels).toHaveLength(1);
  expect(Math.abs((freezingLevels[0] ?? 0) - 12_000)).toBeLessThan(300);
  expect(circuit.isaDeviation).toBeCloseTo(5 - 12, 0);
});

describe('errors', () => {
  test.each([
    [{ include: ['forecasts'] }, 'INVALID_INCLUDE', /must be a list of flightCategory, forecast/],
    [{ include: 'sun' }, 'INVALID_INCLUDE', /must be a list/],
    [{ at: 'tomorrow' }, 'INVALID_AT', /ISO 8601/],
    [{ at: '2026-09-16T14:00' }, 'INVALID_AT', /ISO 8601/],
    [{ at: 5 }, 'INVALID_AT', /ISO 8601/],
  ])('%j is refused with %s, in a batch, too', async (data, code, message) => {
    for (const [query, icao] of [
      ['weather', 'KJFK'],
      ['weatherBatch', ['KJFK']],
    ] as const) {
      const { status, body } = await ask({ icao, ...data }, query);
      expect([query, status]).toEqual([query, 400]);
      expect(body).toMatchObject({ Error: [{ code, message: expect.stringMatching(message) as string }] });
    }
  });
});
