import { describe, expect, test } from 'vitest';
import { routePoints } from '../weather/route-answer.ts';
import { routeOf } from '../weather/route.ts';
import { etoMs } from './eto.ts';
import { directionDeg, forecastTimeAt, windSampler } from './interpolate.ts';
import {
  fieldsPerLevel,
  forecastHours,
  isGlobal,
  missingValue,
  packTemperature,
  packWind,
} from './snapshot.ts';
import type { WindGrid, WindHeader, WindSnapshot } from './snapshot.ts';
import { flightLevelPressureHpa } from './standard-atmosphere.ts';
import { windAloft, windAloftInputSchema, windAloftOutputSchema } from './wind-aloft.ts';
import type { Waypoint } from './wind-aloft.ts';
import { hourMs } from '../time.ts';

const cycleMs = Date.UTC(2026, 8, 16, 6);
const global: WindGrid = { ni: 36, nj: 19, northDeg: 90, westDeg: 0, diDeg: 10, djDeg: 10 };
const levels = [100, 150, 200, 250, 300, 400, 500, 700, 850, 1000];

type Value = (latDeg: number, lonDeg: number, levelHpa: number, hour: number) => [number, number, number];

/** Linear in everything but the angle, so that interpolation reproduces it. */
const linear: Value = (lat, _lon, level, hour) => [lat / 3, Math.log(level) * 4 - 20, 220 + hour / 4];

const snapshotOf = (
  value: Value,
  grid = global,
  stepsHours: readonly number[] = forecastHours,
): WindSnapshot => {
  const header: WindHeader = { cycleMs, stepsHours: [...stepsHours], levelsHpa: levels, grid };
  const steps = stepsHours.map((hour) => {
    const data = new Int16Array(grid.ni * grid.nj * levels.length * fieldsPerLevel);
    let at = 0;
    for (let j = 0; j < grid.nj; j++)
      for (let i = 0; i < grid.ni; i++)
        for (const level of levels) {
          const [u, v, t] = value(grid.northDeg - j * grid.djDeg, grid.westDeg + i * grid.diDeg, level, hour);
          data[at++] = packWind(u);
          data[at++] = packWind(v);
          data[at++] = packTemperature(t);
        }
    return data;
  });
  return { header, steps };
};

const sampleAt = (snapshot: WindSnapshot, lat: number, lon: number, hPa: number, hours: number) =>
  windSampler(snapshot, { latitude: lat, longitude: lon }, cycleMs + hours * hourMs)(hPa);

const waypoint = (over: Partial<Waypoint> = {}): Waypoint => ({
  latitude: 50,
  longitude: 8.5,
  cruiseLevel: 350,
  eto: new Date(cycleMs + 6 * hourMs).toISOString(),
  ...over,
});

const one = (snapshot: WindSnapshot | null, over: Partial<Waypoint> = {}, nowMs = cycleMs) => {
  const [entry] = windAloft(snapshot, [waypoint(over)], nowMs);
  if (!entry) throw new Error('no entry');
  return entry;
};

describe('standard atmosphere', () => {
  // Values of the ICAO table.
  test.each([
    [0, 1013.25],
    [100, 696.82],
    [180, 506],
    [300, 300.9],
    [340, 249.99],
    [390, 196.77],
    [450, 147.48],
    [530, 100.4],
  ])('FL%i is %f hPa', (flightLevel, hPa) => {
    expect(Math.abs(flightLevelPressureHpa(flightLevel) - hPa)).toBeLessThan(0.02);
  });
});

describe('interpolation', () => {
  const snapshot = snapshotOf(linear);

  test('Winds are interpolated bilinearly by position and linearly in ln p and in time', () => {
    const { uMs, vMs, temperatureK } = sampleAt(snapshot, 43, 17, 275, 8);
    expect(uMs).toBeCloseTo(43 / 3, 1);
    expect(vMs).toBeCloseTo(Math.log(275) * 4 - 20, 1);
    expect(temperatureK).toBeCloseTo(222, 2);
  });

  test('Longitudes wrap, so -180 is 180 and the cell before Greenwich joins the first column', () => {
    const wavy = snapshotOf((_lat, lon) => [lon < 180 ? lon / 10 : (lon - 360) / 10, 0, 250]);
    expect(sampleAt(wavy, 10, -180, 250, 0)).toEqual(sampleAt(wavy, 10, 180, 250, 0));
    expect(sampleAt(wavy, 10, -5, 250, 0).uMs).toBeCloseTo(-0.5, 2);
    expect(sampleAt(wavy, 10, 355, 250, 0).uMs).toBeCloseTo(-0.5, 2);
    expect(sampleAt(wavy, 10, 5, 250, 0).uMs).toBeCloseTo(0.5, 2);
  });

  test('Both poles have a wind value', () => {
    expect(sampleAt(snapshot, 90, 123, 250, 0).uMs).toBeCloseTo(30, 2);
    expect(sampleAt(snapshot, -90, -77, 250, 0).uMs).toBeCloseTo(-30, 2);
  });

  test('A regional grid does not wrap and ends at its edges', () => {
    const region: WindGrid = { ni: 14, nj: 9, northDeg: 60, westDeg: -6, diDeg: 1, djDeg: 1 };
    expect(isGlobal(region)).toBe(false);
    expect(isGlobal(global)).toBe(true);
    const regional = snapshotOf((lat, lon) => [lon, lat, 250], region);
    expect(sampleAt(regional, 55.5, -0.5, 250, 0)).toMatchObject({ uMs: -0.5, vMs: 55.5 });
    expect(sampleAt(regional, 52, 7, 250, 0).uMs).toBeCloseTo(7, 6);
    for (const [lat, lon] of [
      [61, 0],
      [51.5, 0],
      [55, 7.5],
      [55, -6.5],
      [55, 180],
    ] as const)
      expect(sampleAt(regional, lat, lon, 250, 0).uMs).toBeNull();
  });

  test('Levels outside the data are null, and the outermost ones are not', () => {
    expect(sampleAt(snapshot, 0, 0, 99.9, 0).uMs).toBeNull();
    expect(sampleAt(snapshot, 0, 0, 1000.1, 0).uMs).toBeNull();
    expect(sampleAt(snapshot, 0, 0, 100, 0).uMs).not.toBeNull();
    expect(sampleAt(snapshot, 0, 0, 1000, 0).uMs).not.toBeNull();
  });

  test('A missing point makes its cell null, never a wrong value', () => {
    const holed = snapshotOf(linear);
    const data = holed.steps[0] ?? new Int16Array();
    const column = levels.length * fieldsPerLevel;
    data[(9 * 36 + 1) * column + levels.indexOf(250) * fieldsPerLevel] = missingValue;
    const near = sampleAt(holed, 0, 5, 250, 0);
    expect(near).toMatchObject({ uMs: null, vMs: null });
    expect(near.temperatureK).not.toBeNull();
    expect(sampleAt(holed, 0, 0, 250, 0).uMs).not.toBeNull();
    expect(sampleAt(holed, 0, 5, 300, 0).uMs).not.toBeNull();
    expect(sampleAt(holed, 0, 5, 250, 6).uMs).not.toBeNull();
  });

  test.each([
    [0, -10, 360],
    [-10, 0, 90],
    [0, 10, 180],
    [10, 0, 270],
    [10, 10, 225],
  ])('Wind u %i v %i comes from %i', (u, v, from) => {
    expect(directionDeg(u, v) % 360).toBeCloseTo(from % 360, 9);
  });
});

describe('forecast hour', () => {
  const { header } = snapshotOf(linear);
  test.each([
    [-100, 0, true],
    [-1, 0, true],
    [2.99, 0, true],
    [3, 6, true],
    [8.9, 6, true],
    [9, 12, true],
    [47, 48, true],
    [51, 48, true],
    [51.01, 48, false],
    [100, 48, false],
  ])('A time of %f hours after the cycle uses hour %i (M-2.12.w6)', (hours, forecastHour, isCovered) => {
    expect(forecastTimeAt(header, cycleMs + hours * hourMs)).toMatchObject({ forecastHour, isCovered });
  });

  test('Values are linear between two hours', () => {
    expect(forecastTimeAt(header, cycleMs + 8 * hourMs)).toMatchObject({
      lower: 1,
      upper: 2,
      weight: 1 / 3,
    });
  });
});

describe('windAloft', () => {
  const snapshot = snapshotOf((_lat, _lon, level, hour) => [-10, level === 1000 ? 0 : -hour / 6, 223.15]);

  test('The waypoint is returned as sent (M-2.12.w1, M-2.12.w2, M-2.12.w3, M-2.12.w4, M-2.12.w5)', () => {
    expect(one(snapshot, { name: 'SPY' })).toMatchObject({
      name: 'SPY',
      latitude: 50,
      longitude: 8.5,
      cruiseLevel: 350,
      eto: '2026-09-16T12:00:00.000Z',
      forecastHour: 6,
    });
    expect(one(snapshot, { eto: 1_789_560_000 }).eto).toBe(1_789_560_000);
    expect(one(snapshot, { eto: undefined }, cycleMs + 18 * hourMs)).toMatchObject({
      name: null,
      eto: null,
      forecastHour: 18,
    });
  });

  test('The answer has five levels (M-8.28, M-2.12.w8, M-2.12.w9, M-2.12.w10, M-2.12.w11, M-2.12.w12, M-2.12.w13, M-2.12.w14)', () => {
    const { winds } = one(snapshot);
    expect(Object.entries(winds).map(([key, level]) => [key, level.flightLevel, level.altitude])).toEqual([
      ['plus4000', 390, 39000],
      ['plus2000', 370, 37000],
      ['cruise', 350, 35000],
      ['minus2000', 330, 33000],
      ['minus4000', 310, 31000],
    ]);
  });

  test('Values are rounded once, to whole degrees and knots and tenths of a degree C (M-2.12.w7, M-2.12.w15, M-2.12.w16, M-2.12.w17)', () => {
    // u -10, v -1 m/s: 10.05 m/s = 19.54 kt from 84.3 degrees.
    const entry = one(snapshot);
    expect(entry.winds.cruise).toEqual({
      flightLevel: 350,
      altitude: 35000,
      windDirection: 84,
      windSpeed: 20,
      temperature: -50,
    });
    expect(entry.cruiseTemperature).toBe(-50);
    const calm = snapshotOf(() => [0.1, 0.1, 273.14]);
    expect(one(calm).winds.cruise).toMatchObject({ windDirection: 0, windSpeed: 0, temperature: 0 });
    const north = snapshotOf(() => [0.02, -10, 273.15]);
    expect(one(north).winds.cruise.windDirection).toBe(360);
    expect(Object.is(one(north).cruiseTemperature, 0)).toBe(true);
  });

  test('Values outside levels and hours, and without any data, are null (M-2.12.w15, M-2.12.w16, M-2.12.w17)', () => {
    const high = one(snapshot, { cruiseLevel: 510 }).winds;
    expect(high.plus4000).toEqual({
      flightLevel: 550,
      altitude: 55000,
      windDirection: null,
      windSpeed: null,
      temperature: null,
    });
    expect(high.plus2000.windSpeed).toBe(20);
    const low = one(snapshot, { cruiseLevel: 30 }).winds;
    expect(low.minus4000).toMatchObject({ flightLevel: -10, altitude: -1000, windSpeed: null });
    expect(low.plus2000.windSpeed).not.toBeNull();
    const late = one(snapshot, { eto: new Date(cycleMs + 60 * hourMs).toISOString() });
    expect(late).toMatchObject({ forecastHour: 48, cruiseTemperature: null });
    const none = one(null);
    expect(none).toMatchObject({ forecastHour: 0, cruiseTemperature: null });
    expect(Object.values(none.winds).every((level) => level.windDirection === null)).toBe(true);
  });

  test('Answers conform to the output schema', () => {
    const entries = windAloft(
      snapshot,
      [waypoint(), waypoint({ cruiseLevel: 0 }), waypoint({ name: 'A' })],
      cycleMs,
    );
    const answer = { windAloft: entries, source: 'NOAA GFS' };
    expect(windAloftOutputSchema.parse(answer)).toEqual(answer);
    const wrong = { ...answer, windAloft: [{ ...entries[0], forecastHour: 7 }] };
    expect(windAloftOutputSchema.safeParse(wrong).success).toBe(false);
  });
});

describe('input', () => {
  const firstIssue = (data: unknown): string | null => {
    const issue = windAloftInputSchema.safeParse(data).error?.issues[0];
    return issue ? `${issue.message} ${issue.path.join('.')}` : null;
  };
  const good = { latitude: 1, longitude: 2, cruiseLevel: 350 };

  test.each([
    [{}, 'MISSING_FIELD waypoints'],
    [{ waypoints: null }, 'MISSING_FIELD waypoints'],
    [{ waypoints: [] }, 'INVALID_WAYPOINTS waypoints'],
    [{ waypoints: {} }, 'INVALID_WAYPOINTS waypoints'],
    [{ waypoints: 'x' }, 'INVALID_WAYPOINTS waypoints'],
    [{ waypoints: [null] }, 'INVALID_WAYPOINTS waypoints.0'],
    [{ waypoints: Array.from({ length: 501 }, () => null) }, 'TOO_MANY_WAYPOINTS waypoints'],
  ])('%j (M-4.7.q5a)', (data, issue) => {
    expect(firstIssue(data)).toBe(issue);
  });

  test('500 waypoints are accepted (M-4.7.q5a)', () => {
    expect(firstIssue({ waypoints: Array.from({ length: 500 }, () => good) })).toBeNull();
  });

  test.each([
    [{ latitude: 90.01 }, 'latitude'],
    [{ latitude: -91 }, 'latitude'],
    [{ latitude: '50' }, 'latitude'],
    [{ latitude: undefined }, 'latitude'],
    [{ longitude: 180.5 }, 'longitude'],
    [{ longitude: null }, 'longitude'],
    [{ cruiseLevel: 350.5 }, 'cruiseLevel'],
    [{ cruiseLevel: '350' }, 'cruiseLevel'],
    [{ cruiseLevel: -1 }, 'cruiseLevel'],
    [{ cruiseLevel: 35000 }, 'cruiseLevel'],
    [{ cruiseLevel: undefined }, 'cruiseLevel'],
    [{ name: 7 }, 'name'],
    [{ eto: 'tomorrow' }, 'eto'],
    [{ eto: '2026-02-30T00:00:00Z' }, 'eto'],
    [{ eto: true }, 'eto'],
    [{ eto: 1e300 }, 'eto'],
  ])('%j is refused with index and field (M-4.7.q5b)', (change, field) => {
    expect(firstIssue({ waypoints: [good, { ...good, ...change }] })).toBe(
      `INVALID_WAYPOINTS waypoints.1.${field}`,
    );
  });

  test('Limits are inclusive, and name and eto may be absent or null (M-4.7.q5b, M-4.7.q5c)', () => {
    for (const change of [
      { latitude: -90, longitude: -180 },
      { latitude: 90, longitude: 180, cruiseLevel: 0 },
      { name: null, eto: null },
      { name: '' },
    ])
      expect(firstIssue({ waypoints: [{ ...good, ...change }] })).toBeNull();
  });

  test.each([
    ['2026-09-16T12:00:00Z', '2026-09-16T12:00:00.000Z'],
    ['2026-09-16T12:00', '2026-09-16T12:00:00.000Z'],
    ['2026-09-16 12:00:30.25', '2026-09-16T12:00:30.250Z'],
    ['2026-09-16T14:00:00+02:00', '2026-09-16T12:00:00.000Z'],
    ['2026-09-16T06:30-0530', '2026-09-16T12:00:00.000Z'],
    ['20260916T120000Z', '2026-09-16T12:00:00.000Z'],
    ['2026-09-16', '2026-09-16T00:00:00.000Z'],
    ['2026-09-16T24:00:00Z', '2026-09-17T00:00:00.000Z'],
    ['1789560000', '2026-09-16T12:00:00.000Z'],
    [1_789_560_000, '2026-09-16T12:00:00.000Z'],
    [1_789_560_000_000, '2026-09-16T12:00:00.000Z'],
    [0, '1970-01-01T00:00:00.000Z'],
  ])('The eto %j is read (M-4.7.q5c)', (eto, iso) => {
    expect(new Date(etoMs(eto) ?? Number.NaN).toISOString()).toBe(iso);
  });

  test.each([
    '',
    'now',
    '2026-13-01',
    '2026-09-31',
    '2026-09-16T25:00Z',
    '2026-09-16T12:60Z',
    '12',
    Number.NaN,
  ])('%j is not a time (M-4.7.q5c)', (eto) => {
    expect(etoMs(eto)).toBeNull();
  });
});

test('The tailwind of a long leg is the mean along the leg, not the mean of its ends', () => {
  // A jet from the west of 60 m/s in the middle of a leg of 40 degrees, and nothing at its ends.
  const jet: Value = (_lat, lon) => [Math.max(0, 60 - Math.abs(lon - 40) * 6), 0, 220];
  const point = (longitude: number) => ({ ident: null, latitude: 0, longitude, flightLevel: 350, eto: null });
  const tailwindsOf = (...longitudes: number[]) =>
    routePoints(
      routeOf(longitudes.map(point), {
        startMs: cycleMs,
        nowMs: cycleMs,
        groundSpeedKt: 480,
        flightLevel: 350,
      }),
      snapshotOf(jet),
    ).map(({ tailwind }) => tailwind);
  // Half of the way under a triangle: 15 m/s.
  expect(tailwindsOf(20, 60)).toEqual([29, null]);
  expect(tailwindsOf(60, 20)).toEqual([-29, null]);
  expect(tailwindsOf(30, 40, 50)).toEqual([58, 58, null]);
});
