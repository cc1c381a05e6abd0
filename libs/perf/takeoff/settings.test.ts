import { describe, expect, test } from 'vitest';
import { profile } from '../fixtures/aircraft.ts';
import { ftToM } from '../kernel/units.ts';
import { calculateTakeoff } from './calculate.ts';
import type { TakeoffCase } from './types.ts';

interface Asked extends Partial<TakeoffCase['configuration']> {
  oatC?: number;
  altitudeFt?: number;
  massKg?: number;
  cgPercent?: number;
}
const settings = (
  id: string,
  { oatC = 15, altitudeFt = 0, massKg = 1.3 * profile(id).weight.oew, cgPercent, ...configuration }: Asked,
) => {
  const outcome = calculateTakeoff(profile(id), {
    runway: { toraM: 4000, todaM: 4000, asdaM: 4000, elevationM: ftToM(altitudeFt), slope: 0 },
    weather: { temperatureK: oatC + 273.15, qnhPa: 101_325, headwindMps: 0 },
    condition: { state: 'DRY', depthM: 0 },
    configuration: { flap: '5', packsOff: false, antiIce: 'OFF', fullThrust: false, ...configuration },
    obstacles: [],
    massKg,
    ...(cgPercent === undefined ? {} : { cgPercent }),
  });
  if (!outcome.ok) throw new Error(outcome.code);
  return outcome.result;
};

describe('published settings', () => {
  test.each([
    ['737-800-7B26', -20, 0, 92.4],
    ['737-800-7B26', 0, 2000, 96.9],
    ['737-800-7B26', 20, 6000, 100.8],
    ['737-800-7B26', 40, 6000, 99.1],
    ['737-900ER', 20, 0, 101.2],
    ['737-900ER', 40, 2000, 100.3],
    ['737-600-7B22', 20, 6000, 95.6],
    ['737-600-7B22', 50, 0, 90.4],
    ['737-700-7B24', 0, 0, 91.4],
    ['737-700-7B24', 20, 6000, 97.5],
    ['777-200-GE90-76B', 10, 2000, 101.3],
    ['777-200-GE90-76B', 50, 0, 99.9],
  ])('N1 of the %s at %s C and %s ft is %s (G-07)', (id, oatC, altitudeFt, percent) => {
    const { full } = settings(id, { oatC, altitudeFt });
    expect(Math.abs((full?.n1?.value ?? 0) - percent)).toBeLessThan(1.2);
    expect(full?.n1?.rms).toBeLessThan(0.5);
  });

  test.each([
    ['737-800-7B26', 10, 0, 67],
    ['737-800-7B26', 40, 0, 71],
    ['737-800-7B26', 30, 4000, 63],
    ['737-900ER', 10, 0, 65],
    ['737-600-7B22', 30, 4000, 61],
    ['737-700-7B24', 40, 4000, 63],
    ['737-700-7B24', 10, 4000, 54],
  ])(
    'The highest assumed temperature of the %s at %s C and %s ft is %s C (G-07)',
    (id, oatC, altitudeFt, mostC) => {
      const { mostAssumedC, reduced } = settings(id, { oatC, altitudeFt, massKg: profile(id).weight.oew });
      expect(Math.abs((mostAssumedC?.value ?? 0) - mostC)).toBeLessThanOrEqual(1);
      expect(reduced?.assumedTemperatureC ?? Infinity).toBeLessThanOrEqual(mostAssumedC?.value ?? 0);
    },
  );

  test.each([
    ['737-800-7B26', '5', 79_000, 34, 4],
    ['737-800-7B26', '5', 60_000, 30, 3.75],
    ['737-800-7B26', '5', 40_000, 21, 4],
    ['737-800-7B26', '15', 60_000, 16, 4.75],
    ['737-900ER', '5', 54_431, 30, 3.5],
    ['737-600-7B22', '10', 50_000, 27, 3.25],
    ['737-700-7B24', '10', 54_431, 9, 8.5],
  ])(
    'Trim of the %s with flaps %s, %s kg and a CG of %s is %s units (G-07)',
    (id, flap, massKg, cgPercent, units) => {
      const { trim } = settings(id, { flap, massKg, cgPercent });
      expect(Math.abs((trim?.value ?? 0) - units)).toBeLessThan(0.7);
    },
  );
});

test('N1 at an assumed temperature is the corrected N1 of that temperature in the actual air, with packs off added (G-07)', () => {
  const at = (configuration: Asked) => settings('737-800-7B26', { oatC: 20, ...configuration });
  const { full, reduced } = at({ assumedTemperature: 50 });
  const hot = settings('737-800-7B26', { oatC: 50 }).full?.n1?.value ?? 0;
  expect(reduced?.n1?.value).toBeCloseTo(hot * Math.sqrt(293.15 / 323.15), 6);
  expect(full?.n1?.value).toBeGreaterThan(reduced?.n1?.value ?? Infinity);
  expect(at({ packsOff: true }).full?.n1?.value).toBeCloseTo((full?.n1?.value ?? 0) + 0.8, 6);
});

test('Unpublished settings are not shown: other types, anti-ice and ratings (G-07)', () => {
  expect(settings('737-8-1B27', {})).toMatchObject({ full: { n1: null }, mostAssumedC: null, trim: null });
  expect(settings('737-800-7B26', { antiIce: 'ENGINE' })).toMatchObject({ full: { n1: null }, trim: null });
  expect(settings('777-200-GE90-76B', { rating: 'TO-1' })).toMatchObject({ full: { n1: null } });
});
