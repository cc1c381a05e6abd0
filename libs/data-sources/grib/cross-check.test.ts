import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { decodeNorthWest, northWest } from './decode.ts';
import { gribFields } from '#test/support/grib/fields.ts';

/** The development dependency decodes 16-bit simple packing with a bitmap correctly, so the samples use only that. */
interface OtherField {
  referenceTimestamp: number;
  forecastTimestamp: number;
  getValue: (lon: number, lat: number) => number | null;
}

const require = createRequire(import.meta.url);
const grib2 = require('grib2-simple') as (bytes: Buffer) => OtherField[];
const samples = join(dirname(require.resolve('grib2-simple')), 'sample_data');
const names = readdirSync(samples).filter((name) => name.includes('_regular-lat-lon_'));

describe('cross-check with another decoder', () => {
  test('The samples of the other decoder are installed', () => expect(names).toHaveLength(2));

  test.each(names)('%s', (name) => {
    const bytes = readFileSync(join(samples, name));
    const [other] = grib2(bytes);
    const [field] = [...gribFields(bytes)];
    if (!other || !field) throw new Error('no field');
    expect(field.referenceTimeMs).toBe(other.referenceTimestamp);
    const values = decodeNorthWest(field);
    const { latDeg, lonDeg } = northWest(field.grid);
    const { ni, nj, di, dj } = field.grid;
    let compared = 0;
    for (let k = 0; k < 100; k++) {
      const i = (k * 37) % ni;
      const j = (k * 53) % nj;
      const ours = values[j * ni + i] ?? Number.NaN;
      const theirs = other.getValue(lonDeg + i * di, latDeg - j * dj);
      if (Number.isNaN(ours) || theirs === null) continue;
      compared += 1;
      expect(Math.abs(ours - theirs)).toBeLessThan(1e-3);
    }
    expect(compared).toBeGreaterThan(50);
  });
});
