import { expect, test, vi } from 'vitest';
import { sharedData } from '#test/support/shared-data.ts';
import { decimalYear, magneticVariation } from './wmm.ts';

const feetPerKm = 1 / 0.0003048;

/** Rows of the official table: year, altitude km, latitude, longitude, declination. */
const official = [
  [2025, 28, 89, -121, -99.77],
  [2025, 48, 80, -96, -29.91],
  [2025, 54, 82, 87, 54.89],
  [2025, 65, 43, 93, 0.5],
  [2025, 51, -33, 109, -5.49],
  [2025, 39, -59, -8, -15.75],
  [2025, 3, -50, -103, 27.96],
  [2029.5, 33, 17, 5, 0.89],
  [2029.5, 77, -18, 138, 4.45],
] as const;

test.each(official)(
  'In %d at %d km, %d %d the field is %d',
  (year, altitudeKm, latitudeDeg, longitudeDeg, expected) => {
    const place = { latitudeDeg, longitudeDeg, elevationFt: altitudeKm * feetPerKm };
    const got = magneticVariation(place, year);
    expect(Math.abs(got - expected)).toBeLessThanOrEqual(0.01);
  },
);

test('Known airports have their published variation, east positive', () => {
  const year = decimalYear(new Date('2026-08-22T00:00:00Z'));
  const on = (latitudeDeg: number, longitudeDeg: number) =>
    magneticVariation({ latitudeDeg, longitudeDeg, elevationFt: null }, year);
  expect(on(51.4706, -0.461941)).toBeCloseTo(1.08, 1);
  expect(on(40.639801, -73.7789)).toBeCloseTo(-12.56, 1);
  expect(on(-33.946098, 151.177002)).toBeCloseTo(12.84, 1);
});

test('At the poles the result is a number, and leap years have 366 days', () => {
  const pole = { latitudeDeg: 90, longitudeDeg: 0, elevationFt: null };
  expect(magneticVariation(pole, 2026)).not.toBeNaN();
  expect(decimalYear(new Date('2026-07-02T12:00:00Z'))).toBeCloseTo(2026.5, 6);
  expect(decimalYear(new Date('2028-07-02T00:00:00Z'))).toBeCloseTo(2028.5, 6);
});

test('All 100 official values are met within 0.01 degree', () => {
  const rows = sharedData('airports/wmm')
    .lines('WMM2025_TEST_VALUES.txt')
    .filter((line) => /^\d/.test(line))
    .map((line) => line.trim().split(/\s+/).map(Number));
  expect(rows).toHaveLength(100);
  for (const [year = 0, altitudeKm = 0, latitudeDeg = 0, longitudeDeg = 0, expected = 0] of rows) {
    const place = { latitudeDeg, longitudeDeg, elevationFt: altitudeKm * feetPerKm };
    const got = magneticVariation(place, year);
    expect(Math.abs(got - expected), `${year} ${latitudeDeg} ${longitudeDeg}`).toBeLessThanOrEqual(0.01);
  }
});

test.each([
  [2024, 2025],
  [2029.9, 2029.9],
  [2038, 2030],
])('In %d the field is that of %d, without a warning', (year, used) => {
  const warn = vi.spyOn(console, 'warn');
  const place = { latitudeDeg: 51.4706, longitudeDeg: -0.461941, elevationFt: 83 };
  expect(magneticVariation(place, year)).toBeCloseTo(magneticVariation(place, used), 5);
  expect(warn).not.toHaveBeenCalled();
});
