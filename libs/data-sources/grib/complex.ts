import { wideBits } from './bits.ts';
import { readGroups } from './groups.ts';
import type { DataSpan } from './simple.ts';
import type { ComplexPacking } from './types.ts';

const allOnes = (width: number): number => (width >= 32 ? -1 : 2 ** width - 1);

/**
 * Packing 5.2 and 5.3: groups of values, with spatial differencing of order 1 or 2 in 5.3, whose running sums d (order 2
 * only) and y are in wrapping int32 arithmetic. With missing value management all ones in a group (and, with management 2,
 * all ones less one) mark a missing point; in groups of width 0 the reference does, in the width of references. Missing
 * points become NaN and do not advance the differencing. Writes `count` values to `out`.
 */
export const decodeComplex = (
  span: DataSpan,
  packing: ComplexPacking,
  count: number,
  out: Float32Array,
): void => {
  const { base, step, order, missingManagement } = packing;
  // A constant field may have no groups and then nothing in section 7, not even the descriptors of 5.3.
  if (packing.groups === 0) {
    out.fill(base, 0, count);
    return;
  }
  const { view } = span;
  const tables = readGroups(span, packing, count);
  const { references, widths, lengths, first, second } = tables;
  const minimum = tables.minimum | 0;
  const mayMiss = missingManagement !== 0;
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
    if (mayMiss && width === 0 && (reference === primary || reference === secondary)) {
      out.fill(Number.NaN, point, end);
      point = end;
      continue;
    }
    const narrow = width <= 25;
    const mask = narrow ? (1 << width) - 1 : -1;
    const room = 32 - width;
    for (; point < end; point++) {
      let value = 0;
      if (width !== 0) {
        value = narrow
          ? (view.getInt32(bit >>> 3) >>> (room - (bit & 7))) & mask
          : wideBits(view, bit, width);
        bit = (bit + width) | 0;
        if (mayMiss && (value === primary || value === secondary)) {
          out[point] = Number.NaN;
          continue;
        }
      }
      if (order === 0) {
        out[point] = base + ((reference >>> 0) + (value >>> 0)) * step;
        continue;
      }
      if (seen < order) {
        // The first points have the values of the descriptors, whatever is packed in their place.
        y = (seen === 0 ? first : second) | 0;
        d = seen === 0 ? 0 : (second - first) | 0;
        seen += 1;
      } else {
        d = ((order === 1 ? 0 : d) + value + reference + minimum) | 0;
        y = (y + d) | 0;
      }
      out[point] = base + y * step;
    }
  }
};
