import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCycleBuilder } from '#data/feeds/winds/build.ts';
import { addMessages } from '#data/feeds/winds/files.ts';
import { makeHour, testCycleMs } from '#test/support/grib/gfs.ts';
import { windCycleWrites } from '#store/postgres/winds/cycles.ts';
import { forecastHours } from '#domain/winds/snapshot.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { until } from '#test/support/until.ts';
import { hourMs } from '#domain/time.ts';

const levelsHpa = [100, 200, 300, 500, 700];
let api: TestApi;
let user: TestUser;

/** A cycle whose wind is the same everywhere: from the west, with the given speed. */
const storeCycle = async (cycleMs: number, uMs: number) => {
  const builder = createCycleBuilder();
  const value = (field: 0 | 1 | 2) => [uMs, 0, 223.15][field] ?? 0;
  for (const hour of forecastHours)
    addMessages(builder, makeHour({ cycleMs, levelsHpa, value }, hour).grib, 'fixture');
  await api.context.postgres.transaction((tx) =>
    windCycleWrites(tx).store(builder.finish(), 'test', api.context.clock.now()),
  );
};

const ask = (waypoints: unknown, token: string | undefined = user.token) =>
  api.call('windAloft', {
    data: waypoints === undefined ? {} : { waypoints },
    ...(token ? { token } : {}),
  });
const waypoint = (over: Record<string, unknown> = {}) => ({
  latitude: 50,
  longitude: 8.5,
  cruiseLevel: 350,
  ...over,
});
const entries = (body: Record<string, unknown>) => body['windAloft'] as Record<string, unknown>[];

beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  api.context.clock.set(new Date(testCycleMs + 4 * hourMs));
});
afterAll(() => api.close());

test('Without a grid every value is null (M-2.12.w19)', async () => {
  const { status, body } = await ask([waypoint()]);
  expect(status).toBe(200);
  expect(body['source']).toBeNull();
  expect(entries(body)[0]).toMatchObject({
    cruiseTemperature: null,
    winds: { cruise: { flightLevel: 350, windDirection: null, windSpeed: null, temperature: null } },
  });
});

describe('windAloft with a loaded cycle', () => {
  beforeAll(async () => {
    await storeCycle(testCycleMs, 20);
    await until('the cycle is loaded', () => api.running.services.winds.current() !== null);
  });

  test('The answer has every field, in the order of the waypoints (M-2.12.w1, M-2.12.w2, M-2.12.w3, M-2.12.w4, M-2.12.w5, M-2.12.w6, M-2.12.w7, M-2.12.w8, M-2.12.w9, M-2.12.w10, M-2.12.w11, M-2.12.w12, M-2.12.w13, M-2.12.w14, M-2.12.w15, M-2.12.w16, M-2.12.w17, M-2.12.w18, M-4.7.q5c, M-8.28)', async () => {
    const eto = new Date(testCycleMs + 11 * hourMs).toISOString();
    const unix = (testCycleMs + 20 * hourMs) / 1000;
    const { status, body } = await ask([
      waypoint({ name: 'ONE', eto }),
      waypoint({ eto: unix, longitude: -180, cruiseLevel: 100 }),
      waypoint({ latitude: -90 }),
    ]);
    expect(status).toBe(200);
    expect(body['apiVersion']).toBe('1.3.6');
    expect(body['source']).toBe('NOAA GFS');
    // 20 m/s are 38.9 kt; 223.15 K are -50 degrees C.
    const level = (flightLevel: number) => ({
      flightLevel,
      altitude: flightLevel * 100,
      windDirection: 270,
      windSpeed: 39,
      temperature: -50,
    });
    const [one, two, three] = entries(body);
    expect(one).toEqual({
      name: 'ONE',
      latitude: 50,
      longitude: 8.5,
      cruiseLevel: 350,
      eto,
      forecastHour: 12,
      cruiseTemperature: -50,
      winds: {
        plus4000: level(390),
        plus2000: level(370),
        cruise: level(350),
        minus2000: level(330),
        minus4000: level(310),
      },
    });
    expect(two).toMatchObject({ name: null, eto: unix, forecastHour: 18 });
    // FL60 is below the lowest level of this grid (700 hPa is about FL100).
    expect(two).toMatchObject({
      winds: { cruise: { flightLevel: 100 }, minus4000: { flightLevel: 60, windSpeed: null } },
    });
    expect(three).toMatchObject({ latitude: -90, eto: null, forecastHour: 6 });
  });

  test('A new cycle replaces the old one without an error or a mixed answer (M-2.12.w20, M-2.12.w19)', async () => {
    const speeds = new Set<number>();
    let answers = 0;
    const load = { isDone: false };
    const client = async () => {
      while (!load.isDone) {
        const { status, body } = await ask(Array.from({ length: 40 }, () => waypoint()));
        expect(status).toBe(200);
        const found = new Set(
          entries(body).map(
            (entry) => (entry['winds'] as { cruise: { windSpeed: number } }).cruise.windSpeed,
          ),
        );
        expect(found.size).toBe(1);
        for (const speed of found) speeds.add(speed);
        answers += 1;
      }
    };
    const clients = [client(), client(), client(), client()];
    const before = answers;
    await storeCycle(testCycleMs + 6 * hourMs, 40);
    await until('the new cycle answers', () => speeds.has(78) && answers > before + 20);
    load.isDone = true;
    await Promise.all(clients);
    expect([...speeds].sort((one, two) => one - two)).toEqual([39, 78]);
    expect(entries((await ask([waypoint({ cruiseLevel: 600 })])).body)[0]).toMatchObject({
      cruiseTemperature: null,
    });
  });
});

describe('errors', () => {
  test.each([
    [undefined, 'MISSING_FIELD', 'Missing required field: waypoints.'],
    [null, 'MISSING_FIELD', 'Missing required field: waypoints.'],
    [[], 'INVALID_WAYPOINTS', /^waypoints must be at least 1 entries\.$/],
    ['EGLL', 'INVALID_WAYPOINTS', /^waypoints must be an array\.$/],
    [
      [waypoint(), waypoint({ latitude: 90.1 })],
      'INVALID_WAYPOINTS',
      /^waypoints\.1\.latitude must be at most 90\.$/,
    ],
    [[waypoint({ longitude: '8' })], 'INVALID_WAYPOINTS', /^waypoints\.0\.longitude must be a number\.$/],
    [
      [waypoint({ cruiseLevel: 350.5 })],
      'INVALID_WAYPOINTS',
      /^waypoints\.0\.cruiseLevel must be a whole number\.$/,
    ],
    [[waypoint({ eto: 'noon' })], 'INVALID_WAYPOINTS', /^waypoints\.0\.eto must be a time in UTC like/],
    [Array.from({ length: 501 }, () => 0), 'TOO_MANY_WAYPOINTS', 'At most 500 waypoints are allowed.'],
  ])('Invalid waypoints are refused, case %# (M-4.7.q5a, M-4.7.q5b)', async (waypoints, code, message) => {
    const { status, body } = await ask(waypoints);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      success: false,
      error: { code, message: expect.stringMatching(message), status: 400 },
    });
  });

  test('Every invalid field is listed, and a user is required (G-25)', async () => {
    const { body } = await ask([waypoint({ latitude: 91, cruiseLevel: null })]);
    expect(body).toMatchObject({
      error: {
        details: ['waypoints.0.latitude: must be at most 90', 'waypoints.0.cruiseLevel: must be a number'],
      },
    });
    const refused = await ask([waypoint()], '');
    expect([refused.status, refused.body]).toMatchObject([401, { error: { code: 'AUTH_REQUIRED' } }]);
  });
});
