import {
  enclose,
  gridBody,
  identificationBody,
  microDegrees,
  octets,
  productBody,
  section,
} from '#simulated/grib.ts';
import type { Grid, Product } from '#simulated/grib.ts';
import { bitWriter } from './bit-writer.ts';
import { packComplex } from './pack-complex.ts';
import { packSimple, scaledSteps } from './pack-simple.ts';
import type { PackedValues } from './pack-simple.ts';

/** How a test field is packed, in whole steps of 10^-decimals. */
export interface TestPacking {
  template: 0 | 2 | 3;
  decimals?: number;
  binaryScale?: number;
  order?: 1 | 2;
  missingManagement?: 0 | 1 | 2;
  groupLength?: number;
  /** Width of the difference descriptors. */
  extraOctets?: number;
  /** 5.2 and 5.3 without groups and with an empty section 7. */
  withoutGroups?: boolean;
  /** Minimum number of bits of group references, widths and lengths. */
  minBits?: number;
}

export interface TestGrid extends Grid {
  scan?: number;
  template?: number;
  uvRelativeToGrid?: boolean;
  omitIncrements?: boolean;
}

/** One field to encode; values in storage order, null = missing. */
export interface TestField extends Product {
  values: readonly (number | null)[];
  grid: TestGrid;
  packing: TestPacking;
  bitmap?: 'none' | 'own' | 'reuse';
  discipline?: number;
  cycleMs?: number;
  packingTemplateNumber?: number;
}

/** Encodes one message with one or more fields (they share sections 1 and 3). */
export const encodeMessage = (fields: readonly TestField[], options: { localUse?: boolean } = {}): Buffer => {
  const head = fields[0];
  if (!head) throw new Error('a message needs a field');
  const parts = [section(1, identificationBody(head.cycleMs ?? Date.UTC(2026, 0, 2, 6)))];
  if (options.localUse === true) parts.push(section(2, Buffer.from('local')));
  parts.push(section(3, testGridBody(head.grid)));
  for (const field of fields) parts.push(...fieldSections(field));
  return enclose(parts, head.discipline);
};

/** Section 3 with scanning modes and omissions that the simulated source never uses. */
const testGridBody = (grid: TestGrid): Buffer => {
  const { ni, nj, lat1 = 90, lon1 = 0, di = 1, dj = 1, scan = 0, template = 0 } = grid;
  const body = gridBody(grid);
  octets(template, 2).copy(body, 7);
  body[49] = (grid.omitIncrements === true ? 0 : 0x30) | (grid.uvRelativeToGrid === true ? 0x08 : 0);
  microDegrees(lat1 + (scan & 0x40 ? 1 : -1) * dj * (nj - 1)).copy(body, 50);
  microDegrees(lon1 + (scan & 0x80 ? -1 : 1) * di * (ni - 1)).copy(body, 54);
  if (grid.omitIncrements === true) body.fill(0xff, 58, 66);
  body[66] = scan;
  return body;
};

const fieldSections = (field: TestField): Buffer[] => {
  const useBitmap = field.bitmap === 'own' || field.bitmap === 'reuse';
  const values = useBitmap ? field.values.filter((value) => value !== null) : field.values;
  const { body, data } = packValues(values, field.packing);
  if (field.packingTemplateNumber !== undefined) octets(field.packingTemplateNumber, 2).copy(body, 4);
  return [section(4, productBody(field)), section(5, body), section(6, bitmapBody(field)), section(7, data)];
};

const bitmapBody = (field: TestField): Buffer => {
  if (field.bitmap === 'reuse') return Buffer.from([254]);
  if (field.bitmap !== 'own') return Buffer.from([255]);
  const writer = bitWriter();
  for (const value of field.values) writer.put(value === null ? 0 : 1, 1);
  return Buffer.concat([Buffer.from([0]), writer.bytes()]);
};

const packValues = (values: readonly (number | null)[], packing: TestPacking): PackedValues => {
  const scaled = scaledSteps(values, packing);
  return packing.template === 0 ? packSimple(scaled) : packComplex(scaled, packing);
};
