import { describe, expect, test } from 'vitest';
import { encodeMessage } from '#test/support/grib/message.ts';
import type { TestField } from '#test/support/grib/message.ts';
import { decodeNorthWest } from './decode.ts';
import { GribError } from './error.ts';
import { readGrib } from './read.ts';

const wave = Array.from({ length: 120 }, (_, k) => Math.round(900 * Math.sin(k / 5)) / 10);
const holed = wave.map((value, k) => (k % 4 === 0 ? null : value));
const grid = { ni: 12, nj: 10 };

const files: readonly [string, TestField[]][] = [
  ['5.0', [{ values: wave, grid, packing: { template: 0 } }]],
  ['5.2 with a bitmap', [{ values: holed, grid, packing: { template: 2 }, bitmap: 'own' }]],
  ['5.3 order 1', [{ values: wave, grid, packing: { template: 3, order: 1 } }]],
  [
    '5.3 order 2 twice, bitmap reused',
    [
      { values: holed, grid, packing: { template: 3, order: 2 }, bitmap: 'own' },
      { values: holed, grid, packing: { template: 3, order: 2 }, bitmap: 'reuse' },
    ],
  ],
  ['5.3 with missing values', [{ values: holed, grid, packing: { template: 3, missingManagement: 1 } }]],
];

/** Reads and decodes everything; only typed errors may be thrown. */
const readAll = (bytes: Uint8Array): { fields: number; errors: number } => {
  let fields = 0;
  let errors = 0;
  for (const entry of readGrib(bytes)) {
    try {
      if (entry.kind === 'fault') throw entry.error;
      decodeNorthWest(entry);
      fields += 1;
    } catch (error) {
      if (!(error instanceof GribError)) throw error;
      errors += 1;
    }
  }
  return { fields, errors };
};

describe('damaged files', () => {
  test.each(files)('Every truncation of %s is a typed error', (_, fields) => {
    const file = encodeMessage(fields);
    for (let length = 0; length < file.length; length++) {
      const { errors } = readAll(file.subarray(0, length));
      expect(errors, `cut at ${length}`).toBeGreaterThan(0);
    }
  });

  test.each(files)('Every flipped bit and byte of %s ends in values or a typed error', (_, fields) => {
    const file = encodeMessage(fields);
    const before = process.memoryUsage().arrayBuffers;
    let peak = 0;
    for (let at = 0; at < file.length; at++) {
      for (const flip of [1, 2, 4, 8, 16, 32, 64, 128, 255]) {
        const damaged = Buffer.from(file);
        damaged[at] = (damaged[at] ?? 0) ^ flip;
        readAll(damaged);
      }
      peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
    }
    expect(peak).toBeLessThan(64 * 1024 * 1024);
  });

  test('The largest accepted field stays below 64 MB, and a larger one is refused', () => {
    const side = 2048;
    const constant = {
      values: [1, 1, 1, 1],
      grid: { ni: 2, nj: 2, scan: 64, lat1: 0 },
      packing: { template: 0 },
    } as const;
    const claim = (ni: number): Buffer => {
      // Section 3 starts at octet 37, section 5 after sections 3 (72 octets) and 4 (34 octets).
      const file = encodeMessage([constant]);
      file.writeUInt32BE(ni * side, 37 + 6);
      file.writeUInt32BE(ni, 37 + 30);
      file.writeUInt32BE(side, 37 + 34);
      file.writeUInt32BE(ni * side, 37 + 72 + 34 + 5);
      return file;
    };
    const before = process.memoryUsage().arrayBuffers;
    expect(readAll(claim(side))).toEqual({ fields: 1, errors: 0 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
    expect(readAll(claim(side + 1))).toEqual({ fields: 0, errors: 1 });
  });

  test('A message that repeats sections endlessly has a limited number of fields', () => {
    const junk = Buffer.concat(Array.from({ length: 5000 }, () => Buffer.from('GRIB\0\0\0\x02')));
    const { errors } = readAll(junk);
    expect(errors).toBeLessThan(100);
  });
});
