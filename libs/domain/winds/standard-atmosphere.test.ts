import { expect, test } from 'vitest';
import {
  densityAltitudeFt,
  isaDeviationC,
  pressureAltitudeFt,
  pressureAltitudeOn,
} from './standard-atmosphere.ts';

// ICAO Doc 7488: pressure and temperature of the standard atmosphere.
test.each([
  [1_013.25, 0, 15],
  [843.08, 5_000, 5.09],
  [696.82, 10_000, -4.81],
  [465.63, 20_000, -24.62],
])('The standard atmosphere has %d hPa at %d ft, with %d degrees', (hPa, feet, celsius) => {
  expect(Math.abs(pressureAltitudeFt(hPa) - feet)).toBeLessThan(5);
  expect(Math.abs(isaDeviationC(celsius, feet))).toBeLessThan(0.02);
  // In the standard atmosphere the density altitude equals the altitude.
  expect(Math.abs(densityAltitudeFt(celsius, feet) - feet)).toBeLessThan(15);
});

test('The example of the Pilot’s Handbook of Aeronautical Knowledge is met (FAA-H-8083-25, density altitude)', () => {
  // 30.10 inHg and 70 °F at 5,883 ft: pressure altitude 5,718 ft, density altitude about 7,700 ft by its chart.
  const pressureAltitude = pressureAltitudeOn(5_883, 30.1 * 33.8639);
  expect(Math.abs(pressureAltitude - 5_718)).toBeLessThan(3);
  expect(Math.abs(densityAltitudeFt(21.1, pressureAltitude) - 7_700)).toBeLessThan(150);
});

test('Altitudes on QNH change by 27 to 28 ft per hPa', () => {
  expect(pressureAltitudeOn(1_000, 1_013.25)).toBe(1_000);
  expect(Math.abs(pressureAltitudeOn(1_000, 1_003.25) - 1_275)).toBeLessThan(2);
});
