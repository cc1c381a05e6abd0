import { expect, test } from 'vitest';
import { fieldsPerLevel, packTemperature, packWind } from '../winds/snapshot.ts';
import type { WindSnapshot } from '../winds/snapshot.ts';
import { pressureAltitudeFt } from '../winds/standard-atmosphere.ts';
import { airAbove } from './air-above.ts';

const levelsHpa = [300, 500, 700, 850, 925, 1_000];
const cycleMs = Date.parse('2026-09-16T06:00Z');

/** Uniform air everywhere: degrees C by pressure altitude in feet, wind from the west in m/s. */
const snapshotOf = (celsiusAt: (feet: number) => number, uMs = 10): WindSnapshot => {
  const grid = { ni: 2, nj: 2, northDeg: 60, westDeg: 0, diDeg: 20, djDeg: 20 };
  const step = new Int16Array(grid.ni * grid.nj * levelsHpa.length * fieldsPerLevel);
  for (let at = 0; at < step.length; at += fieldsPerLevel) {
    const hPa = levelsHpa[(at / fieldsPerLevel) % levelsHpa.length] ?? 0;
    step[at] = packWind(uMs);
    step[at + 2] = packTemperature(celsiusAt(pressureAltitudeFt(hPa)) + 273.15);
  }
  return { header: { cycleMs, stepsHours: [0, 6], levelsHpa, grid, source: 'GFS' }, steps: [step, step] };
};
const isa = (feet: number): number => 15 - 0.0019812 * feet;
const field = { latitudeDeg: 50, longitudeDeg: 8, elevationFt: 500, qnhHpa: 1_013.25 };

test('In the standard atmosphere the freezing level is 7,570 ft, and with 10 degrees more 5,000 ft higher', () => {
  const standard = airAbove(snapshotOf(isa), field, cycleMs);
  expect(standard).toEqual({
    at: '2026-09-16T06:00:00.000Z',
    source: 'GFS',
    freezingLevels: [expect.closeTo(7_570, -2)],
    isFreezingAtField: false,
    circuit: {
      altitude: 2_000,
      windDirection: 270,
      windSpeed: 19,
      temperature: expect.closeTo(11, 0),
      isaDeviation: expect.closeTo(0, 0),
    },
  });
  const warm = airAbove(
    snapshotOf((feet) => isa(feet) + 10),
    field,
    cycleMs,
  );
  expect(Math.abs((warm.freezingLevels?.[0] ?? 0) - 12_619)).toBeLessThan(100);
  expect(Math.abs((warm.circuit.isaDeviation ?? 0) - 10)).toBeLessThan(0.3);
});

test('With a QNH of 980 hPa an altimeter shows the same level some 900 ft lower', () => {
  const [high = 0] = airAbove(snapshotOf(isa), field, cycleMs).freezingLevels ?? [];
  const [low = 0] = airAbove(snapshotOf(isa), { ...field, qnhHpa: 980 }, cycleMs).freezingLevels ?? [];
  expect(Math.abs(high - low - 923)).toBeLessThan(15);
});

test('A warm layer over freezing air yields two more freezing levels', () => {
  // Freezing on the ground, above 0 between about 3,000 and 7,000 ft.
  const layered = (feet: number): number => (feet < 1_000 ? -3 : feet < 5_000 ? 3 : feet < 11_000 ? -4 : -20);
  const { freezingLevels, isFreezingAtField } = airAbove(snapshotOf(layered), field, cycleMs);
  expect(isFreezingAtField).toBe(true);
  expect(freezingLevels).toHaveLength(2);
  expect(
    airAbove(
      snapshotOf(() => -30),
      field,
      cycleMs,
    ),
  ).toMatchObject({
    freezingLevels: [],
    isFreezingAtField: true,
  });
});

test('Without a grid, outside it, and for a time it does not cover the values are null', () => {
  const nothing = {
    source: null,
    freezingLevels: null,
    isFreezingAtField: null,
    circuit: { altitude: 2_000, windDirection: null, windSpeed: null, temperature: null, isaDeviation: null },
  };
  expect(airAbove(null, field, cycleMs)).toMatchObject(nothing);
  expect(airAbove(snapshotOf(isa), { ...field, latitudeDeg: -10 }, cycleMs)).toMatchObject(nothing);
  expect(airAbove(snapshotOf(isa), field, cycleMs + 20 * 3_600_000)).toMatchObject(nothing);
  expect(airAbove(snapshotOf(isa, 0), field, cycleMs).circuit).toMatchObject({
    windDirection: 0,
    windSpeed: 0,
  });
});
