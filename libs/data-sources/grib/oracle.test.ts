import { describe, expect, test } from 'vitest';
import { encodedOracleFiles } from '#test/support/grib/oracle-files.ts';
import type { OracleField } from '#test/support/grib/oracle-files.ts';
import { sharedData } from '#test/support/shared-data.ts';
import { decodeField } from './decode.ts';
import { GribError } from './error.ts';
import { readGrib } from './read.ts';
import type { GribField } from './message.ts';
import { isDeep } from '#test/support/deep.ts';

/** Real files with values from ecCodes; without the shared data, files by our own encoder with their input values. */
const data = sharedData('grib');
const encoded = data.isWhole ? {} : encodedOracleFiles();
const files = data.isWhole
  ? ['real', 'constructed'].flatMap((folder) =>
      data
        .names(folder)
        .filter((name) => name.endsWith('.oracle.json'))
        .map((name) => `${folder}/${name.replace(/\.oracle\.json$/, '')}`),
    )
  : Object.keys(encoded);

const oracleOf = (file: string): OracleField[] =>
  encoded[file]?.fields ?? (JSON.parse(data.text(`${file}.oracle.json`)) as { fields: OracleField[] }).fields;
const bytesOf = (file: string): Buffer => encoded[file]?.bytes ?? data.bytes(file);

const check = (field: GribField, oracle: OracleField, file: Buffer): void => {
  const { discipline, category, number, offset, length, points } = oracle;
  expect(field).toMatchObject({
    discipline,
    category,
    number,
    points,
    field: oracle.field,
  });
  const { byteOffset, byteLength } = field.data;
  expect(byteOffset + byteLength - file.byteOffset).toBe(offset + length);
  expect(field.grid).toMatchObject({ ni: oracle.Ni, nj: oracle.Nj, scan: oracle.scan });
  // Depending on its tool, the oracle has western longitudes as negative or above 180.
  expect(field.grid.lat1).toBeCloseTo(oracle.la1, 5);
  expect((field.grid.lon1 + 360) % 360).toBeCloseTo((oracle.lo1 + 360) % 360, 5);
  expect(field.grid.lat2).toBeCloseTo(oracle.la2, 5);
  expect((field.grid.lon2 + 360) % 360).toBeCloseTo((oracle.lo2 + 360) % 360, 5);
  expect(field.level.type).toBe(oracle.surfaceType);
  expect(field.forecastHour).toBe(Number(/^-?\d+/.exec(oracle.stepRange)?.[0]));
  expect(new Date(field.referenceTimeMs).toISOString().replaceAll(/[-T:]/g, '').slice(0, 12)).toBe(
    oracle.refTime,
  );
  const values = decodeField(field);
  let missing = 0;
  let [min, max, sum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const value of values) {
    if (Number.isNaN(value)) missing += 1;
    else {
      min = Math.min(min, value);
      max = Math.max(max, value);
      sum += value;
    }
  }
  // float32: relative 2e-7 of the largest magnitude; the oracle prints at least seven digits.
  const tolerance = 2e-7 * Math.max(Math.abs(oracle.min), Math.abs(oracle.max)) + 1e-12;
  const close = (actual: number, wanted: number): void =>
    expect(Math.abs(actual - wanted), `${actual} for ${wanted}`).toBeLessThanOrEqual(tolerance);
  expect(missing).toBe(oracle.missing);
  close(min, oracle.min);
  close(max, oracle.max);
  close(sum / (values.length - missing), oracle.mean);
  for (const [index, , , wanted] of oracle.samples) {
    const actual = values[index] ?? Number.NaN;
    expect(Number.isNaN(actual)).toBe(wanted === null);
    close(wanted === null ? 0 : actual, wanted ?? 0);
  }
};

const checkRefusal = (error: GribError, oracle: OracleField): void => {
  expect(error.message).toContain(oracle.gdt === 0 ? `5.${oracle.drt}` : `3.${oracle.gdt}`);
};

describe('oracle values', () => {
  test.each(files)('%s', (file) => {
    const oracle = oracleOf(file);
    const bytes = bytesOf(file);
    const entries = [...readGrib(bytes)];
    expect(entries).toHaveLength(oracle.length);
    entries.forEach((entry, i) => {
      const wanted = oracle[i];
      if (!wanted) throw new Error('no oracle');
      const supported = wanted.gdt === 0 && [0, 2, 3].includes(wanted.drt);
      expect(entry.kind).toBe(supported ? 'field' : 'fault');
      if (entry.kind === 'field') check(entry, wanted, bytes);
      else checkRefusal(entry.error, wanted);
    });
  });

  test('All sample files were seen', () => expect(files.length).toBeGreaterThanOrEqual(data.either(34, 22)));
});

describe('damaged files', () => {
  const names = files.filter((file) => /drt5_[023]|uv10m|tsfc|wafs|um-3p75/.test(file));
  // Other octets in each file; all of them in a deep run, and in small files in robustness.test.ts.
  const every = isDeep ? 1 : 8;
  test.each(names)('%s', { timeout: 60_000 }, (file) => {
    const bytes = bytesOf(file);
    const decodeAll = (damaged: Uint8Array): void => {
      for (const entry of readGrib(damaged)) {
        if (entry.kind === 'fault') continue;
        try {
          decodeField(entry);
        } catch (error) {
          if (!(error instanceof GribError)) throw error;
        }
      }
    };
    const before = process.memoryUsage().arrayBuffers;
    const stride = Math.ceil(bytes.length / 40);
    for (let k = names.indexOf(file) % every; k < 240; k += every) {
      // All header octets, then octets spread over the file.
      const at = k < 200 ? k : ((k - 200) * stride) % bytes.length;
      const damaged = Buffer.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ (1 << (k % 8));
      decodeAll(damaged);
      damaged[at] = 0xff;
      decodeAll(damaged);
      decodeAll(bytes.subarray(0, (k * stride) % bytes.length));
    }
    // Two more copies of the file's arrays may await garbage collection.
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(256 * 1024 * 1024);
  });
});
