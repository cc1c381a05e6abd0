import { describe, expect, test } from 'vitest';
import { encodeMessage } from '#test/support/grib/message.ts';
import type { TestField, TestPacking } from '#test/support/grib/message.ts';
import { decodeField, decodeNorthWest } from './decode.ts';
import { gribFields } from '#test/support/grib/fields.ts';
import { readGrib } from './read.ts';
import type { GribError } from './error.ts';

const ni = 12;
const nj = 9;
const wave = Array.from({ length: ni * nj }, (_, k) => Math.round(4000 * Math.sin(k / 9) + (k % 13)) / 100);
const holed = wave.map((value, k) => (k % 5 === 0 || (k > 40 && k < 62) ? null : value));

const packings: readonly [string, TestPacking][] = [
  ['5.0', { template: 0 }],
  ['5.0 with a binary scale', { template: 0, binaryScale: -3, decimals: 1 }],
  ['5.0 wide', { template: 0, decimals: 7 }],
  ['5.2', { template: 2 }],
  ['5.2 wide references', { template: 2, decimals: 6, groupLength: 50 }],
  ['5.3 order 1', { template: 3, order: 1 }],
  ['5.3 order 2', { template: 3, order: 2 }],
  ['5.3 order 2, wide groups', { template: 3, order: 2, decimals: 6, groupLength: 40, extraOctets: 4 }],
  ['5.3 order 1, wide groups', { template: 3, order: 1, decimals: 6, groupLength: 40, extraOctets: 4 }],
  ['5.3 order 2, two extra octets', { template: 3, order: 2, extraOctets: 2 }],
  ['5.3 order 2, padded tables', { template: 3, order: 2, minBits: 11 }],
  ['5.3 groups of one', { template: 3, order: 2, groupLength: 1 }],
];

const fieldOf = (over: Partial<TestField> = {}): TestField => ({
  values: wave,
  grid: { ni, nj },
  packing: { template: 3, order: 2 },
  ...over,
});

const decodeOne = (field: TestField): (number | null)[] => {
  const [decoded] = [...gribFields(encodeMessage([field]))];
  if (!decoded) throw new Error('no field');
  return Array.from(decodeField(decoded), (value) => (Number.isNaN(value) ? null : value));
};

/** Half a step of the coarsest packing in the table (2^-3 x 0.1). */
const halfStep = 0.0064;

/** Largest difference between two fields; infinite when a point is missing in only one of them. */
const worst = (actual: readonly (number | null)[], wanted: readonly (number | null)[]): number => {
  if (actual.length !== wanted.length) return Number.POSITIVE_INFINITY;
  return wanted.reduce<number>((most, value, k) => {
    const other = actual[k] ?? null;
    if (value === null || other === null) return value === other ? most : Number.POSITIVE_INFINITY;
    return Math.max(most, Math.abs(value - other));
  }, 0);
};

const errorOf = (bytes: Uint8Array): GribError => {
  for (const entry of readGrib(bytes)) if (entry.kind === 'fault') return entry.error;
  throw new Error('no fault');
};

describe('packing', () => {
  test.each(packings)('%s restores every value', (_, packing) => {
    expect(worst(decodeOne(fieldOf({ packing })), wave)).toBeLessThan(halfStep);
  });

  test.each(packings)('%s is decoded with a bitmap', (_, packing) => {
    expect(worst(decodeOne(fieldOf({ packing, values: holed, bitmap: 'own' })), holed)).toBeLessThan(
      halfStep,
    );
  });

  const managed = ([2, 3] as const).flatMap((template) =>
    ([1, 2] as const).flatMap((missingManagement) =>
      (template === 2 ? ([1] as const) : ([1, 2] as const)).map((order): [string, TestPacking] => [
        `5.${template} order ${template === 2 ? 0 : order} missing value management ${missingManagement}`,
        { template, order, missingManagement },
      ]),
    ),
  );
  test.each(managed)('%s', (_, packing) => {
    expect(worst(decodeOne(fieldOf({ packing, values: holed })), holed)).toBeLessThan(halfStep);
  });

  test.each([0, 2, 3] as const)('A constant field of 5.%i has no data bits', (template) => {
    const values = wave.map(() => -12.5);
    expect(worst(decodeOne(fieldOf({ values, packing: { template } })), values)).toBeLessThan(halfStep);
  });

  test.each([2, 3] as const)(
    'A constant field of 5.%i may have no groups and an empty section 7',
    (template) => {
      const packing = { template, order: 2, extraOctets: 2, withoutGroups: true } as const;
      const values = wave.map(() => -12.5);
      expect(worst(decodeOne(fieldOf({ values, packing })), values)).toBeLessThan(halfStep);
      const partly = wave.map((_, k) => (k % 3 === 0 ? null : -12.5));
      expect(worst(decodeOne(fieldOf({ values: partly, packing, bitmap: 'own' })), partly)).toBeLessThan(
        halfStep,
      );
    },
  );

  test('A field with only missing points is decoded', () => {
    const values = wave.map(() => null);
    expect(
      worst(decodeOne(fieldOf({ values, packing: { template: 0 }, bitmap: 'own' })), values),
    ).toBeLessThan(halfStep);
    expect(
      worst(decodeOne(fieldOf({ values, packing: { template: 3, missingManagement: 1 } })), values),
    ).toBeLessThan(halfStep);
  });

  test('A reused output array is filled and trimmed to the field', () => {
    const reuse = new Float32Array(1000).fill(7);
    const [field] = [...gribFields(encodeMessage([fieldOf()]))];
    if (!field) throw new Error('no field');
    const values = decodeField(field, reuse);
    expect(values.buffer).toBe(reuse.buffer);
    expect(worst([...values], wave)).toBeLessThan(halfStep);
    expect(reuse[ni * nj]).toBe(7);
  });
});

describe('messages', () => {
  test('Headers give level, hour, cycle and grid', () => {
    const cycleMs = Date.UTC(2026, 8, 30, 18);
    const level = { type: 100, scale: -2, value: 250 };
    const [field] = [
      ...gribFields(encodeMessage([fieldOf({ cycleMs, level, hour: 48, number: 3 })], { localUse: true })),
    ];
    expect(field).toMatchObject({
      message: 1,
      field: 0,
      category: 2,
      number: 3,
      forecastHour: 48,
      referenceTimeMs: cycleMs,
      level: { type: 100, value: 25000 },
      grid: { ni, nj, lat1: 90, lon1: 0, lat2: 82, lon2: 11, di: 1, dj: 1 },
    });
  });

  test('Omitted grid increments are computed from the corners', () => {
    const grid = { ni, nj, di: 2.5, dj: 0.5, lon1: 350, omitIncrements: true };
    const [field] = [...gribFields(encodeMessage([fieldOf({ grid })]))];
    expect(field?.grid.di).toBeCloseTo(2.5, 6);
    expect(field?.grid.dj).toBeCloseTo(0.5, 6);
  });

  test('A message may have several fields, the second reusing the first bitmap, and junk may follow it', () => {
    const u = fieldOf({ values: holed, bitmap: 'own', number: 2 });
    const v = fieldOf({ values: holed.map((x) => (x === null ? null : -x)), bitmap: 'reuse', number: 3 });
    const file = Buffer.concat([encodeMessage([u, v]), Buffer.from('\r\nGRI'), encodeMessage([fieldOf()])]);
    const fields = [...gribFields(file)];
    expect(fields.map((field) => [field.message, field.field, field.number])).toEqual([
      [1, 0, 2],
      [1, 1, 3],
      [2, 0, 2],
    ]);
    const second = fields[1];
    if (!second) throw new Error('no field');
    expect(
      worst(
        Array.from(decodeField(second), (x) => (Number.isNaN(x) ? null : x)),
        v.values,
      ),
    ).toBeLessThan(halfStep);
  });

  test.each(Array.from({ length: 16 }, (_, n) => n * 16))('Scan mode %i is normalised', (scan) => {
    const at = (i: number, j: number): number => j * 100 + i;
    const westward = (scan & 128) !== 0;
    const northward = (scan & 64) !== 0;
    const stored: number[] = [];
    const outer = scan & 32 ? ni : nj;
    const inner = scan & 32 ? nj : ni;
    for (let line = 0; line < outer; line++)
      for (let k = 0; k < inner; k++) {
        const along = scan & 16 && line % 2 === 1 ? inner - 1 - k : k;
        const [i, j] = scan & 32 ? [line, along] : [along, line];
        stored.push(at(westward ? ni - 1 - i : i, northward ? nj - 1 - j : j));
      }
    const grid = { ni, nj, scan, lat1: northward ? 0 : 8, lon1: westward ? 11 : 0 };
    const [field] = [
      ...gribFields(encodeMessage([fieldOf({ values: stored, grid, packing: { template: 0 } })])),
    ];
    if (!field) throw new Error('no field');
    const wanted = Array.from({ length: ni * nj }, (_, k) => at(k % ni, Math.floor(k / ni)));
    expect([...decodeNorthWest(field)]).toEqual(wanted);
  });
});

describe('refused messages', () => {
  test.each([1, 20, 30, 40, 999])('Grid template 3.%i is refused', (template) => {
    const error = errorOf(encodeMessage([fieldOf({ grid: { ni, nj, template } })]));
    expect(error).toMatchObject({ code: 'UNSUPPORTED_GRID' });
    expect(error.message).toContain(`3.${template}`);
  });

  test.each([4, 40, 41, 61])('Packing template 5.%i is refused', (packingTemplateNumber) => {
    const error = errorOf(encodeMessage([fieldOf({ packingTemplateNumber })]));
    expect(error).toMatchObject({ code: 'UNSUPPORTED_PACKING' });
    expect(error.message).toContain(`5.${packingTemplateNumber}`);
  });

  test('Product template 4.30 and staggered scan modes are refused', () => {
    expect(errorOf(encodeMessage([fieldOf({ productTemplate: 30 })]))).toMatchObject({
      code: 'UNSUPPORTED_PRODUCT',
      message: 'product template 4.30 is not supported',
    });
    expect(errorOf(encodeMessage([fieldOf({ grid: { ni, nj, scan: 8 } })])).code).toBe('UNSUPPORTED_GRID');
  });

  test('Edition 1, other data and a web page are refused', () => {
    const edition1 = encodeMessage([fieldOf()]);
    edition1[7] = 1;
    expect(errorOf(edition1)).toMatchObject({ code: 'UNSUPPORTED_EDITION' });
    expect(errorOf(Buffer.from('<html>down</html>'))).toMatchObject({ code: 'NOT_GRIB' });
    expect(errorOf(Buffer.alloc(0))).toMatchObject({ code: 'NOT_GRIB' });
  });

  test('A refused message does not hide the next one', () => {
    const file = Buffer.concat([
      encodeMessage([fieldOf({ packingTemplateNumber: 40 })]),
      encodeMessage([fieldOf()]),
    ]);
    expect([...readGrib(file)].map((entry) => entry.kind)).toEqual(['fault', 'field']);
  });

  test('Contradictory counts are refused', () => {
    const short = fieldOf({ values: wave.slice(1) });
    expect(errorOf(encodeMessage([short]))).toMatchObject({ code: 'BAD_DATA' });
    expect(errorOf(encodeMessage([fieldOf({ bitmap: 'reuse' })]))).toMatchObject({ code: 'BAD_STRUCTURE' });
    const huge = encodeMessage([fieldOf({ grid: { ni: 100_000, nj: 10_000 } })]);
    expect(errorOf(huge)).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(errorOf(huge).message).toContain('3.0');
  });

  test.each([2, 3] as const)('Too many groups of 5.%i are refused', (template) => {
    const file = encodeMessage([fieldOf({ packing: { template } })]);
    file.writeUInt32BE(0x7fffffff, 16 + 21 + 72 + 34 + 31);
    const error = errorOf(file);
    expect(error).toMatchObject({ code: 'LIMIT_EXCEEDED' });
    expect(error.message).toContain(`5.${template}`);
  });
});
