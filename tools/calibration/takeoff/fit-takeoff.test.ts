import { describe, expect, test } from 'vitest';
import { profile } from '#perf/fixtures/aircraft.ts';
import { limitError } from './fit-takeoff.ts';
import type { LimitPoint } from './points.ts';
import { statistics, takeoffGroups } from './report-takeoff.ts';

const point: LimitPoint = {
  table: 'field dry',
  kind: 'field',
  flap: '5',
  surface: 'DRY',
  pressureAltitudeFt: 0,
  temperatureC: 30,
  lengthM: 2200,
  headwindKt: 0,
  slope: 0,
  packsOff: false,
  expectedKg: 72_800,
  isCap: false,
  isFitted: false,
};

describe('takeoff calibration', () => {
  test('The first-order error equals that of the engine', () => {
    const b738 = profile('737-800-7B26');
    const [group] = takeoffGroups(b738, { limits: [point], worths: [], speeds: [] });
    const exact = group?.errors[0] ?? Number.NaN;
    const model = b738.takeoffPerformance;
    if (!model) throw new Error('no model');
    expect(group).toMatchObject({ table: 'field dry', use: 'judge' });
    expect(100 * limitError(b738, model, point)).toBeCloseTo(exact, 0);
  });

  test('A point at the cut-off of its table counts only where the engine is below it', () => {
    const b738 = profile('737-800-7B26');
    const [group] = takeoffGroups(b738, {
      limits: [{ ...point, expectedKg: 50_000, isCap: true }],
      worths: [],
      speeds: [],
    });
    expect(group?.errors).toEqual([0]);
  });

  test('Statistics have count, RMS, bias, largest error and the number beyond 5 %', () => {
    expect(statistics([3, -4, 6])).toEqual(['3', '4.51', '1.67', '6.00', '1']);
  });
});
