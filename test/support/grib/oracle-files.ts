/**
 * GRIB files written by our own encoder, with the values encoded: one for each packing, bitmap, kind of
 * missing value and scanning mode, and for everything that the decoder refuses. The reduced counterpart of
 * the files with oracle values.
 */
import { encodeMessage } from './message.ts';
import type { TestField } from './message.ts';

/** Field values read by another decoder, in the form of the oracle files. */
export interface OracleField {
  discipline: number;
  category: number;
  number: number;
  offset: number;
  length: number;
  field: number;
  surfaceType: number;
  refTime: string;
  stepRange: string;
  gdt: number;
  drt: number;
  Ni: number;
  Nj: number;
  la1: number;
  lo1: number;
  la2: number;
  lo2: number;
  scan: number;
  points: number;
  missing: number;
  min: number;
  max: number;
  mean: number;
  samples: [number, number, number, number | null][];
}

export interface OracleFile {
  bytes: Buffer;
  fields: OracleField[];
}

const cycleMs = Date.UTC(2026, 8, 16, 6);
const [ni, nj, step] = [36, 19, 10];

/** Wind over a coarse world, in hundredths, with a calm row that packs to nothing. */
const wind = Array.from({ length: ni * nj }, (_, i) =>
  i < ni ? 0 : Math.round(2_000 * Math.sin(i / 17) + 300 * Math.cos(i / 3)) / 100,
);
/** The same with the values missing that lie over land: single ones and whole groups. */
const holed = wind.map((value, i) => (i % 11 === 4 || (i > 300 && i < 340) ? null : value));

const base: TestField = {
  values: wind,
  grid: { ni, nj, di: step, dj: step },
  packing: { template: 0, decimals: 2 },
  hour: 6,
  cycleMs,
};

/** Messages of each file; the fields of a message share its grid. */
const contents: Record<string, TestField[][]> = {
  drt5_0: [[base]],
  'drt5_0-bitmap': [[{ ...base, values: holed, bitmap: 'own' }]],
  drt5_2: [[{ ...base, packing: { template: 2, decimals: 2 } }]],
  'drt5_2-missing': [
    [{ ...base, values: holed, packing: { template: 2, decimals: 2, missingManagement: 1 } }],
  ],
  'drt5_3-first-order': [[{ ...base, packing: { template: 3, decimals: 2, order: 1 } }]],
  'drt5_3-second-order': [[{ ...base, packing: { template: 3, decimals: 2, order: 2 } }]],
  'drt5_3-missing': [
    [{ ...base, values: holed, packing: { template: 3, decimals: 2, order: 2, missingManagement: 1 } }],
  ],
  'drt5_3-bitmap': [
    [{ ...base, values: holed, bitmap: 'own', packing: { template: 3, decimals: 2, order: 2 } }],
  ],
  ieee: [[{ ...base, packingTemplateNumber: 4 }]],
  'ieee-double-bitmap': [[{ ...base, values: holed, bitmap: 'own', packingTemplateNumber: 4 }]],
  'uv10m-one-message': [
    [
      { ...base, level: { type: 103, scale: 0, value: 10 } },
      { ...base, level: { type: 103, scale: 0, value: 10 }, number: 3, values: wind.map((value) => -value) },
    ],
  ],
  'several-messages': [
    [{ ...base, hour: 0 }],
    [{ ...base, hour: 120, category: 0, number: 0, packing: { template: 3, decimals: 2, order: 2 } }],
  ],
  'scan-ineg_jneg': [[{ ...base, grid: { ...base.grid, lon1: 350, scan: 0x80 } }]],
  'scan-ipos_jpos': [[{ ...base, grid: { ...base.grid, lat1: -90, scan: 0x40 } }]],
  'scan-ineg_jpos': [[{ ...base, grid: { ...base.grid, lat1: -90, lon1: 350, scan: 0xc0 } }]],
  'unsupported-drt40': [[{ ...base, packingTemplateNumber: 40 }], [base]],
  'unsupported-drt41': [[{ ...base, packingTemplateNumber: 41 }]],
  'unsupported-gdt20': [[{ ...base, grid: { ...base.grid, template: 20 } }]],
  'unsupported-gdt30': [[{ ...base, grid: { ...base.grid, template: 30 } }]],
  'unsupported-gdt40': [[{ ...base, grid: { ...base.grid, template: 40 } }]],
};

const oracleOf = (field: TestField, index: number, offset: number, length: number): OracleField => {
  const { lat1 = 90, lon1 = 0, scan = 0, template = 0 } = field.grid;
  const present = field.values.filter((value) => value !== null);
  const every = [0, field.values.length - 1, ...field.values.keys().filter((i) => i % 13 === 0)];
  return {
    discipline: field.discipline ?? 0,
    category: field.category ?? 2,
    number: field.number ?? 2,
    offset,
    length,
    field: index,
    surfaceType: field.level?.type ?? 100,
    refTime: '202609160600',
    stepRange: String(field.hour),
    gdt: template,
    drt: field.packingTemplateNumber ?? field.packing.template,
    Ni: ni,
    Nj: nj,
    la1: lat1,
    lo1: lon1,
    la2: lat1 + (scan & 0x40 ? 1 : -1) * step * (nj - 1),
    lo2: lon1 + (scan & 0x80 ? -1 : 1) * step * (ni - 1),
    scan,
    points: field.values.length,
    missing: field.values.length - present.length,
    min: Math.min(...present),
    max: Math.max(...present),
    mean: present.reduce((sum, value) => sum + value, 0) / present.length,
    samples: every.map((i) => [i, 0, 0, field.values[i] ?? null]),
  };
};

/** All files by name. */
export const encodedOracleFiles = (): Record<string, OracleFile> =>
  Object.fromEntries(
    Object.entries(contents).map(([name, messages]) => {
      const fields: OracleField[] = [];
      const parts: Buffer[] = [];
      let offset = 0;
      for (const message of messages) {
        const bytes = encodeMessage(message);
        fields.push(...message.map((field, i) => oracleOf(field, i, offset, bytes.length)));
        parts.push(bytes);
        offset += bytes.length;
      }
      return [name, { bytes: Buffer.concat(parts), fields }];
    }),
  );
