import { unpackBits, wideBits } from './bits.ts';
import { readGroups } from './groups.ts';
import type { GroupTables } from './groups.ts';
import { decodeWithMissing } from './missing.ts';
import type { DataSpan } from './simple.ts';
import type { ComplexPacking } from './types.ts';

/**
 * Packing 5.2 and 5.3: groups of values, with spatial differencing of order 1 or 2 in 5.3. Writes `count`
 * values to `out`, NaN where missing value management marks a value as missing.
 */
export const decodeComplex = (
  span: DataSpan,
  packing: ComplexPacking,
  count: number,
  out: Float32Array,
): void => {
  // A constant field may have no groups and then nothing in section 7, not even the descriptors of 5.3.
  if (packing.groups === 0) {
    out.fill(packing.base, 0, count);
    return;
  }
  const tables = readGroups(span, packing, count);
  if (packing.missingManagement !== 0) decodeWithMissing(span.view, tables, packing, out);
  else if (packing.order === 0) decodePlain(span.view, tables, packing.base, packing.step, out);
  else decodeDifferences(span.view, tables, packing, out);
};

const wide = new Int32Array(1);

const decodePlain = (
  view: DataView,
  tables: GroupTables,
  base: number,
  step: number,
  out: Float32Array,
): void => {
  const { references, widths, lengths } = tables;
  let bit = tables.bit;
  let point = 0;
  for (let g = 0; g < tables.count; g++) {
    const width = widths[g] ?? 0;
    const end = point + (lengths[g] ?? 0);
    const start = base + ((references[g] ?? 0) >>> 0) * step;
    if (width === 0) {
      out.fill(start, point, end);
    } else if (width > 25) {
      for (let i = point; i < end; i++, bit += width)
        out[i] = start + (wideBits(view, bit, width) >>> 0) * step;
    } else {
      const mask = (1 << width) - 1;
      const room = 32 - width;
      for (let i = point; i < end; i++, bit += width)
        out[i] = start + ((view.getInt32(bit >>> 3) >>> (room - (bit & 7))) & mask) * step;
    }
    point = end;
  }
};

/**
 * Integrates differences with the running sums d (order 2 only) and y, in wrapping int32 arithmetic. The sums
 * are initialised so that the first one or two points get the values of the descriptors, whatever was packed in
 * their place; the hot loop then needs no special case.
 */
const decodeDifferences = (
  view: DataView,
  tables: GroupTables,
  packing: ComplexPacking,
  out: Float32Array,
): void => {
  const { base, step } = packing;
  const { first, second, minimum } = tables;
  const z0 = packedAt(view, tables, 0);
  if (packing.order === 1) {
    integrate1(view, tables, (first - z0 - minimum) | 0, base, step, out);
    return;
  }
  const z1 = packedAt(view, tables, 1);
  const d = (second - first - z0 - z1 - 2 * minimum) | 0;
  const y = (first - d - z0 - minimum) | 0;
  integrate2(view, tables, d, y, base, step, out);
};

const integrate1 = (
  view: DataView,
  tables: GroupTables,
  y: number,
  base: number,
  step: number,
  out: Float32Array,
): void => {
  const { references, widths, lengths } = tables;
  const minimum = tables.minimum | 0;
  let bit = tables.bit | 0;
  let point = 0;
  for (let g = 0; g < tables.count; g++) {
    const width = widths[g] ?? 0;
    const end = (point + (lengths[g] ?? 0)) | 0;
    const add = ((references[g] ?? 0) + minimum) | 0;
    if (width === 0) {
      for (; point < end; point++) {
        y = (y + add) | 0;
        out[point] = base + y * step;
      }
    } else if (width > 25) {
      for (; point < end; point++, bit += width) {
        y = (y + add + wideBits(view, bit, width)) | 0;
        out[point] = base + y * step;
      }
    } else {
      const mask = (1 << width) - 1;
      const room = 32 - width;
      for (; point < end; point++) {
        y = (y + add + ((view.getInt32(bit >>> 3) >>> (room - (bit & 7))) & mask)) | 0;
        out[point] = base + y * step;
        bit = (bit + width) | 0;
      }
    }
  }
};

const integrate2 = (
  view: DataView,
  tables: GroupTables,
  d: number,
  y: number,
  base: number,
  step: number,
  out: Float32Array,
): void => {
  const { references, widths, lengths } = tables;
  const minimum = tables.minimum | 0;
  let bit = tables.bit | 0;
  let point = 0;
  for (let g = 0; g < tables.count; g++) {
    const width = widths[g] ?? 0;
    const end = (point + (lengths[g] ?? 0)) | 0;
    const add = ((references[g] ?? 0) + minimum) | 0;
    if (width === 0) {
      for (; point < end; point++) {
        d = (d + add) | 0;
        y = (y + d) | 0;
        out[point] = base + y * step;
      }
    } else if (width > 25) {
      for (; point < end; point++, bit += width) {
        d = (d + add + wideBits(view, bit, width)) | 0;
        y = (y + d) | 0;
        out[point] = base + y * step;
      }
    } else {
      const mask = (1 << width) - 1;
      const room = 32 - width;
      for (; point < end; point++) {
        d = (d + add + ((view.getInt32(bit >>> 3) >>> (room - (bit & 7))) & mask)) | 0;
        y = (y + d) | 0;
        out[point] = base + y * step;
        bit = (bit + width) | 0;
      }
    }
  }
};

/** The packed number of point `index` (group reference plus value), or 0 when there is no such point. */
const packedAt = (view: DataView, tables: GroupTables, index: number): number => {
  let point = 0;
  let bit = tables.bit;
  for (let g = 0; g < tables.count; g++) {
    const width = tables.widths[g] ?? 0;
    const length = tables.lengths[g] ?? 0;
    if (index < point + length) {
      unpackBits(view, bit + (index - point) * width, width, 1, wide);
      return ((tables.references[g] ?? 0) + (wide[0] ?? 0)) | 0;
    }
    point += length;
    bit += length * width;
  }
  return 0;
};
