import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { levelsOf } from '#data/feeds/sigmet/levels.ts';
import { pirepWrites } from '#store/postgres/weather/sigmets.ts';
import type { Pirep } from '#domain/weather/pirep.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { refusal } from '#test/support/answers.ts';
import { longHaul, planDocument } from '#test/support/ofp.ts';
import {
  planWithoutRoute,
  refusedRoutes,
  sigmetOver,
  storeReports,
  storeSigmets,
  storeWinds,
} from '#test/support/route.ts';

interface Moment {
  latitude: number;
  longitude: number;
  distance: number;
  flightLevel: number;
  time: string;
}
interface Hazard {
  series: string;
  crosses: boolean;
  crossings: { entry: Moment; exit: Moment }[];
  along: { entry: Moment; exit: Moment }[];
}
interface Point {
  ident: string | null;
  latitude: number;
  longitude: number;
  flightLevel: number;
  eto: string;
  distance: number;
  tailwind: number | null;
  freezingLevel: number | null;
  winds: Record<string, object>;
}

let api: TestApi;
let user: TestUser;
let devKey: string;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  devKey = await api.key({ weather: true });
  await importAirports(api.context, ['KJFK', 'KBOS', 'KBDL', 'KLAX']);
  await storeReports(api, ['KJFK', 'KBOS', 'KBDL', 'KLAX']);
});
afterAll(() => api.close());

const ask = (data: object, { token } = user) => api.call('weatherRoute', { token, devKey, data });
const pointsOf = (body: Record<string, unknown>) => body['points'] as Point[];
const hazardsOf = (body: Record<string, unknown>) => body['hazards'] as Hazard[];
const time = '2026-09-16T12:00:00Z';
/** Along the equator, one degree in 8 minutes. */
const equator = (flightLevels: readonly number[], fromWest = 0) =>
  flightLevels.map((flightLevel, i) => ({ latitude: 0, longitude: fromWest + i * 10, flightLevel }));
const perDegreeNm = 60.04;

test('Missing winds and warnings are reported, and nothing is invented', async () => {
  const { status, body } = await ask({ waypoints: equator([350, 350]), time });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    source: null,
    hazards: [],
    hazardsAsOf: null,
    tropopause: null,
    notKnown: [{ field: 'tropopause' }, { field: 'winds' }],
  });
  expect(pointsOf(body)[0]).toMatchObject({ tailwind: null, freezingLevel: null, temperature: null });
});

describe('winds', () => {
  beforeAll(() => storeWinds(api));

  test('Sixty winds at twelve points equal those of windAloft at the same places, levels and times', async () => {
    const waypoints = Array.from({ length: 12 }, (_, i) => ({
      ident: `P${i}`,
      latitude: 40 + i * 3.3,
      longitude: 170 - i * 7,
      flightLevel: 240 + i * 10,
    }));
    const { body } = await ask({ waypoints, time });
    const points = pointsOf(body);
    const { body: aloft } = await api.call('windAloft', {
      token: user.token,
      data: {
        waypoints: points.map(({ latitude, longitude, flightLevel, eto }) => ({
          latitude,
          longitude,
          cruiseLevel: flightLevel,
          eto,
        })),
      },
    });
    expect(body['source']).toBe(aloft['source']);
    const entries = aloft['windAloft'] as { winds: object }[];
    expect(points.map(({ winds }) => winds)).toEqual(entries.map(({ winds }) => winds));
    expect(points.flatMap(({ winds }) => Object.values(winds))).toHaveLength(60);
    expect(JSON.stringify(points)).not.toContain('"windSpeed":null');
  });

  test('Distances, times at ground speed, the previous point’s level, tailwind and freezing level are given', async () => {
    const { body } = await ask({
      waypoints: [
        { ident: 'A', latitude: 0, longitude: 179, flightLevel: 340 },
        { ident: 'B', latitude: 0, longitude: -179 },
        { ident: 'C', latitude: 0, longitude: -171, flightLevel: 360, eto: '2026-09-16T14:00:00Z' },
      ],
      time,
      groundSpeed: 480,
    });
    expect(body).toMatchObject({ departureTime: time, arrivalTime: '2026-09-16T14:00:00Z', success: true });
    const [a, b, c] = pointsOf(body);
    expect([a?.distance, b?.distance, c?.distance]).toEqual(
      [0, 2, 10].map((degrees) => expect.closeTo(degrees * perDegreeNm, 0) as number),
    );
    expect([a?.eto, b?.eto, b?.flightLevel]).toEqual([time, '2026-09-16T12:15:00Z', 340]);
    // From the west at every place of the model: a tailwind on an eastern course.
    expect([a?.tailwind, c?.tailwind]).toEqual([expect.any(Number), null]);
    expect(a?.tailwind).toBeGreaterThan(40);
    // 273.15 K is between 500 and 700 hPa: some 670 hPa.
    expect(a?.freezingLevel).toBeGreaterThan(9_000);
    expect(a?.freezingLevel).toBeLessThan(13_000);
    expect(body['notKnown']).toEqual([{ field: 'tropopause', reason: expect.any(String) as string }]);
  });
});

describe('warnings', () => {
  const series = (body: Record<string, unknown>) =>
    hazardsOf(body).map((hazard) => [hazard.series, hazard.crosses]);

  test('A route at FL370 crosses a tropical cyclone for which only a top above FL500 is reported', async () => {
    const raw =
      'FAJA SIGMET D01 VALID 160000/170000 FAOR- FAJA JOHANNESBURG OCEANIC FIR TC ALPHA PSN S01 E013 CB OBS AT 1200Z WI S01 E012 - N01 E012 - N01 E014 - S01 E014 - S01 E012 TOP ABV FL500 MOV W 10KT NC=';
    const { baseFt, topFt } = levelsOf(raw, { baseFt: 50_000, topFt: null });
    await storeSigmets(api, [
      sigmetOver([-1, 12, 1, 14], { series: 'D01', hazard: 'TC', raw, baseFt, topFt }),
    ]);
    const { body } = await ask({
      waypoints: equator([370, 370, 370]),
      time,
      groundSpeed: (60 * perDegreeNm) / 8,
    });
    expect(series(body)).toEqual([['D01', true]]);
    expect(hazardsOf(body)[0]).toMatchObject({ base: null, top: null });
  });

  test('A route crosses a warning by place, level and time, with entry and exit along the track', async () => {
    await storeSigmets(api, [
      sigmetOver([-1, 12, 1, 14], { series: 'through' }),
      sigmetOver([-1, 15, 1, 16], { series: 'above', baseFt: 37_000, topFt: null }),
      sigmetOver([-1, 2, 1, 8], { series: 'climb', baseFt: 10_000, topFt: 20_000 }),
      sigmetOver([3, 12, 5, 14], { series: 'beside' }),
      sigmetOver([-1, 17, 1, 18], { series: 'later', validFrom: '2026-09-16T20:00:00.000Z' }),
      sigmetOver([-1, 10, 1, 20], { series: 'begins', validFrom: '2026-09-16T14:00:00.000Z' }),
    ]);
    const { body } = await ask({
      waypoints: equator([0, 350, 350]),
      time,
      groundSpeed: (60 * perDegreeNm) / 8,
    });
    expect(series(body)).toEqual([
      ['climb', true],
      ['through', true],
      ['begins', true],
      ['above', false],
    ]);
    const at = (degrees: number) => ({
      latitude: 0,
      longitude: expect.closeTo(degrees, 2) as number,
      distance: expect.closeTo(degrees * perDegreeNm, 0) as number,
    });
    const [climb, through, begins, above] = hazardsOf(body);
    // From FL0 to FL350 over ten degrees: FL100 at 2.86, FL200 at 5.71.
    expect(climb?.crossings).toMatchObject([
      { entry: { ...at(2.857), flightLevel: 100 }, exit: { ...at(5.714), flightLevel: 200 } },
    ]);
    expect(climb?.along).toMatchObject([{ entry: at(2), exit: at(8) }]);
    expect(through?.crossings).toMatchObject([
      {
        entry: { ...at(12), flightLevel: 350, time: '2026-09-16T13:36:00Z' },
        exit: { ...at(14), time: '2026-09-16T13:52:00Z' },
      },
    ]);
    expect(begins?.crossings).toMatchObject([
      { entry: { ...at(15), time: '2026-09-16T14:00:00Z' }, exit: at(20) },
    ]);
    expect(above).toMatchObject({ crossings: [], along: [{ entry: at(15), exit: at(16) }] });
    expect(body['hazardsAsOf']).toBe('2026-09-16T12:00:00Z');
    expect(through).toMatchObject({
      list: 'isigmet',
      hazard: 'TURB',
      base: 30_000,
      top: 40_000,
      movement: { toward: 90, speed: 20 },
      text: expect.stringContaining('SEV TURB') as string,
    });
  });

  test('Warnings are crossed over the date line, over a pole, and through two parts of one on several legs', async () => {
    const cap = [
      [80, 0],
      [80, 90],
      [80, 180],
      [80, -90],
    ] as [number, number][];
    const [first] = sigmetOver([-1, 21, 1, 39]).parts;
    const [second] = sigmetOver([-1, 44, 1, 46]).parts;
    await storeSigmets(api, [
      sigmetOver([-2, 178, 2, -178], { series: 'date line' }),
      sigmetOver([0, 0, 1, 1], { series: 'pole', parts: [cap] }),
      sigmetOver([0, 0, 1, 1], { series: 'two', parts: first && second ? [first, second] : [] }),
    ]);
    const line = await ask({
      waypoints: equator([350, 350, 350], 170).map((p) => ({
        ...p,
        longitude: p.longitude > 180 ? p.longitude - 360 : p.longitude,
      })),
      time,
    });
    expect(series(line.body)).toEqual([['date line', true]]);
    expect(hazardsOf(line.body)[0]?.crossings).toMatchObject([
      { entry: { longitude: 178 }, exit: { longitude: -178 } },
    ]);
    const pole = await ask({
      waypoints: [
        { latitude: 70, longitude: 20 },
        { latitude: 70, longitude: -160 },
      ],
      time,
    });
    expect(series(pole.body)).toEqual([['pole', true]]);
    const two = await ask({ waypoints: equator([350, 350, 350, 350], 20), time });
    expect(
      hazardsOf(two.body)[0]?.crossings.map(({ entry, exit }) => [entry.longitude, exit.longitude]),
    ).toEqual([
      [21, 39],
      [44, 46],
    ]);
  });
});

describe('reports', () => {
  test('Departure and destination are given by code, and stations within 50 NM with their position along the route', async () => {
    const waypoints = [
      { ident: 'KJFK', latitude: 40.64, longitude: -73.78 },
      { ident: 'kbos', latitude: 42.36, longitude: -71.01 },
    ];
    const { body } = await ask({ waypoints, time });
    const airports = body['airports'] as Record<string, unknown>[];
    expect(airports.map(({ icao, role }) => [icao, role])).toEqual([
      ['KJFK', 'departure'],
      ['KBOS', 'destination'],
      ['KBDL', 'station'],
    ]);
    expect(body['stationCount']).toBe(1);
    expect(airports[0]).toMatchObject({
      offRoute: 0,
      alongRoute: 0,
      category: 'IFR',
      metar: { date: '2026-09-16 11:51:00', text: expect.stringContaining('METAR KJFK') as string },
      taf: { date: '2026-09-16 11:20:00' },
    });
    const { offRoute, alongRoute } = airports[2] ?? {};
    expect(Number(offRoute)).toBeLessThan(50);
    expect(Number(alongRoute)).toBeGreaterThan(60);
  });

  test('A stored plan is a route between aerodromes with its alternates, and a given time shifts all others', async () => {
    const document = planDocument(longHaul);
    const { body: imported } = await api.call('ofpImport', {
      token: user.token,
      data: { source: 'json', document },
    });
    const ofpId = String(imported['ofpId']);
    const { body } = await ask({ ofpId });
    const points = pointsOf(body);
    expect([points[0]?.ident, points.at(-1)?.ident]).toEqual(['EGLL', 'KJFK']);
    expect(points.length).toBeGreaterThan(40);
    expect(
      (body['airports'] as { icao: string; role: string }[])
        .slice(0, 4)
        .map(({ icao, role }) => [icao, role]),
    ).toEqual([
      ['EGLL', 'departure'],
      ['KJFK', 'destination'],
      ['KBOS', 'alternate'],
      ['KBDL', 'alternate'],
    ]);
    const hour = 3_600_000;
    const moved = new Date(Date.parse(String(body['departureTime'])) + hour).toISOString();
    const later = pointsOf((await ask({ ofpId, time: moved })).body);
    expect(later.map(({ eto }) => Date.parse(eto))).toEqual(points.map(({ eto }) => Date.parse(eto) + hour));
    expect(refusal(await ask({ ofpId }, await api.user()))).toEqual([404, 'OFP_NOT_FOUND']);
  });
});

describe('pireps', () => {
  const observed = (minutes: number) =>
    new Date(api.context.clock.now().getTime() - minutes * 60_000).toISOString();
  const report = (change: Partial<Pirep> = {}): Pirep => ({
    kind: 'PIREP',
    isUrgent: false,
    observedAt: observed(10),
    latitude: 0.5,
    longitude: 5,
    altitude: 34_000,
    aircraft: 'B738',
    turbulence: [],
    icing: [],
    temperature: null,
    windDirection: null,
    windSpeed: null,
    text: 'XXX UA /OV 0030N00500E',
    ...change,
  });
  const layer = (intensity: string) => ({ intensity, type: 'CAT', base: 33_000, top: 35_000 });
  const storePireps = (pireps: Pirep[]) =>
    api.context.postgres.transaction((tx) => pirepWrites(tx).store(pireps));

  test('Reports of the last three hours within 50 NM are listed, the most severe first, then the latest, even across the date line', async () => {
    const none = await ask({ waypoints: equator([350, 350]), time });
    expect(none.body).toMatchObject({ pireps: [], pirepCount: 0, pirepsAsOf: null });
    await storePireps([
      report({ text: 'light', turbulence: [layer('LGT')] }),
      report({ text: 'earlier', observedAt: observed(170) }),
      report({ text: 'severe', turbulence: [layer('SEV')], observedAt: observed(100) }),
      report({ text: 'moderate ice', icing: [layer('LGT-MOD')] }),
      report({ text: 'too old', observedAt: observed(181) }),
      report({ text: 'too far', latitude: 0.9 }),
      report({ text: 'urgent', isUrgent: true, longitude: 6 }),
      report({ text: 'beyond the line', longitude: -179.5, latitude: -0.2 }),
    ]);
    const { body } = await ask({ waypoints: equator([350, 350]), time });
    const pireps = body['pireps'] as { text: string }[];
    expect(pireps.map(({ text }) => text)).toEqual(['urgent', 'severe', 'moderate ice', 'light', 'earlier']);
    expect(body['pirepCount']).toBe(5);
    expect(pireps[1]).toEqual({
      kind: 'PIREP',
      isUrgent: false,
      observedAt: observed(100),
      latitude: 0.5,
      longitude: 5,
      altitude: 34_000,
      aircraft: 'B738',
      offRoute: 30,
      alongRoute: 300.2,
      turbulence: [{ intensity: 'SEV', type: 'CAT', base: 33_000, top: 35_000 }],
      icing: [],
      temperature: null,
      windDirection: null,
      windSpeed: null,
      text: 'severe',
    });
    const line = await ask({
      waypoints: [
        { latitude: 0, longitude: 178, flightLevel: 350 },
        { latitude: 0, longitude: -178 },
      ],
      time,
    });
    expect(line.body['pireps']).toMatchObject([{ text: 'beyond the line', offRoute: 12 }]);
  });

  test('Only the first forty reports are listed, and all are counted', async () => {
    const many = Array.from({ length: 60 }, (_, i) => report({ latitude: -40, text: `report ${i}` }));
    await storePireps(many);
    const waypoints = equator([350, 350]).map((point) => ({ ...point, latitude: -40 }));
    const { body } = await ask({ waypoints, time });
    expect([(body['pireps'] as object[]).length, body['pirepCount']]).toEqual([40, 60]);
  });
});

describe('refused routes', () => {
  test.each(refusedRoutes)('%s', async (_what, data, expected) => {
    expect(refusal(await ask(data))).toEqual(expected);
  });

  test('A plan without positions has no route', async () => {
    expect(refusal(await ask({ ofpId: await planWithoutRoute(api, user) }))).toEqual([422, 'NO_ROUTE']);
  });
});
