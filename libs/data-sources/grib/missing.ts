import { wideBits } from './bits.ts';
import type { GroupTables } from './groups.ts';
import type { ComplexPacking } from './types.ts';

/**
 * Complex packing with missing value management: within a group all ones (and, with management 2, all ones less
 * one) mark a missing point; in groups of width 0 the reference does, in the width of references. Missing
 * points become NaN and do not advance the differencing, so unlike in the plain case the first one or two
 * present points may be anywhere and are counted.
 */
export const decodeWithMissing = (
  view: DataView,
  tables: GroupTables,
  packing: ComplexPacking,
  out: Float32Array,
): void => {
  const { references, widths, lengths, first, second } = tables;
  const { base, step, order, missingManagement } = packing;
  const minimum = tables.minimum | 0;
  let bit = tables.bit | 0;
  let point = 0;
  let seen = 0;
  let d = 0;
  let y = 0;
  for (let g = 0; g < tables.count; g++) {
    const width = widths[g] ?? 0;
    const reference = references[g] ?? 0;
    const end = (point + (lengths[g] ?? 0)) | 0;
    const primary = allOnes(width === 0 ? packing.bits : width);
    const secondary = missingManagement === 2 ? (primary - 1) | 0 : primary;
    if (width === 0 && (reference === primary || reference === secondary)) {
      out.fill(Number.NaN, point, end);
      point = end;
      continue;
    }
    const add = width === 0 ? 0 : reference;
    const narrow = width <= 25;
    const mask = narrow ? (1 << width) - 1 : -1;
    const room = 32 - width;
    for (; point < end; point++) {
      let value = reference;
      if (width !== 0) {
        value = narrow
          ? (view.getInt32(bit >>> 3) >>> (room - (bit & 7))) & mask
          : wideBits(view, bit, width);
        bit = (bit + width) | 0;
      }
      if (width !== 0 && (value === primary || value === secondary)) {
        out[point] = Number.NaN;
        continue;
      }
      const packed = (value + add) | 0;
      if (order === 0) {
        out[point] = base + (packed >>> 0) * step;
        continue;
      }
      if (seen < order) {
        y = (seen === 0 ? first : second) | 0;
        d = seen === 0 ? 0 : (second - first) | 0;
        seen += 1;
      } else if (order === 1) {
        y = (y + packed + minimum) | 0;
      } else {
        d = (d + packed + minimum) | 0;
        y = (y + d) | 0;
      }
      out[point] = base + y * step;
    }
  }
};

const allOnes = (width: number): number => (width >= 32 ? -1 : 2 ** width - 1);
