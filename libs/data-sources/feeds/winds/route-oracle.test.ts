import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { directionDeg, speedKt, windSampler } from '#domain/winds/interpolate.ts';
import type { WindSnapshot } from '#domain/winds/snapshot.ts';
import { flightLevelPressureHpa } from '#domain/winds/standard-atmosphere.ts';
import { windAloft } from '#domain/winds/wind-aloft.ts';
import { writeKnownWinds } from '#test/support/grib/known-winds.ts';
import { sharedData } from '#test/support/shared-data.ts';
import { createHttp } from '#platform/http.ts';
import { createLogger } from '#platform/log/log.ts';
import { fetchSource } from '../fetch.ts';
import type { SourceFetch } from './fetch-hour.ts';
import { readWindFiles } from './files.ts';

interface OracleWind {
  u: number;
  v: number;
  dirTrue: number;
  speedKt: number;
  tempC: number;
}

interface OracleWaypoint {
  latitude: number;
  longitude: number;
  cruiseLevel: number;
  eto: string;
  nearestForecastHour: number | null;
  note: string;
  winds: Record<string, { flightLevel: number; altitude: number; timeLinear: OracleWind | null }>;
}

const data = sharedData('grib/constructed');

const fetch: SourceFetch = (address, options) =>
  fetchSource(address, {
    http: createHttp(createLogger('test', 'silent')),
    signal: AbortSignal.timeout(100_000),
    ...options,
  });

describe('route oracle', () => {
  let snapshot: WindSnapshot;
  let waypoints: OracleWaypoint[];

  // Values from other tools for a real forecast; without these data, a synthetic forecast with known winds.
  let known: ReturnType<typeof writeKnownWinds> | undefined;
  beforeAll(async () => {
    if (!data.isWhole) known = writeKnownWinds();
    snapshot = (await readWindFiles(known?.folder ?? data.folder, fetch)).snapshot;
    const { waypoints: oracle } =
      known ?? (JSON.parse(data.text('route-oracle.json')) as { waypoints: OracleWaypoint[] });
    waypoints = oracle;
  });
  afterAll(() => {
    if (known) rmSync(known.folder, { recursive: true });
  });

  test('The folder yields the complete cycle, not the single hour with another grid', () => {
    expect(snapshot.header.stepsHours).toEqual([0, 6, 12, 18, 24, 30, 36, 42, 48]);
    expect(snapshot.header.grid.ni).toBe(data.either(144, 12));
    expect(snapshot.header.levelsHpa).toHaveLength(21);
  });

  test('U and v are within 0.02 m/s and temperature within 0.02 K, with nulls where the oracle has them', () => {
    const wrong: string[] = [];
    let compared = 0;
    let nulls = 0;
    for (const waypoint of waypoints) {
      const sample = windSampler(snapshot, waypoint, Date.parse(waypoint.eto));
      for (const [key, level] of Object.entries(waypoint.winds)) {
        const where = `${waypoint.note} ${waypoint.latitude} ${waypoint.longitude} ${waypoint.eto} ${key}`;
        const got = sample(flightLevelPressureHpa(level.flightLevel));
        const wanted = level.timeLinear;
        if ((got.uMs === null) !== (wanted === null || wanted.u === null)) wrong.push(`null at ${where}`);
        if (wanted === null || wanted.u === null || got.uMs === null || got.vMs === null) {
          nulls += 1;
          continue;
        }
        compared += 1;
        const within = (name: string, error: number, limit: number): void => {
          if (!(Math.abs(error) < limit)) wrong.push(`${name} ${error} at ${where}`);
        };
        within('u', got.uMs - wanted.u, 0.02);
        within('v', got.vMs - wanted.v, 0.02);
        within('T', (got.temperatureK ?? 0) - 273.15 - wanted.tempC, 0.02);
        within('speed', speedKt(got.uMs, got.vMs) - wanted.speedKt, 0.05);
        const turn = Math.abs(((directionDeg(got.uMs, got.vMs) - wanted.dirTrue + 540) % 360) - 180);
        within('direction', wanted.speedKt > 5 ? turn : 0, 0.5);
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(500);
    expect(nulls).toBeGreaterThan(10);
  });

  test('Every waypoint has five levels and the nearest forecast hour (M-8.28, M-2.12.w6)', () => {
    const entries = windAloft(
      snapshot,
      waypoints.map(({ latitude, longitude, cruiseLevel, eto }) => ({
        latitude,
        longitude,
        cruiseLevel,
        eto,
      })),
      snapshot.header.cycleMs,
    );
    entries.forEach((entry, i) => {
      const wanted = waypoints[i];
      if (!wanted) throw new Error('no oracle');
      const levels = Object.entries(entry.winds).map(([key, level]) => [
        key,
        level.flightLevel,
        level.altitude,
      ]);
      const oracle = Object.entries(wanted.winds).map(([key, level]) => [
        key,
        level.flightLevel,
        level.altitude,
      ]);
      expect(levels).toEqual(oracle);
      expect(entry.forecastHour).toBe(wanted.nearestForecastHour ?? 48);
    });
  });
});
