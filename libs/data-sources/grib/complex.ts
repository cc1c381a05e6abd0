import { bitsAt, octetsOf, signed } from './bits.ts';
import type { ComplexPacking } from './message.ts';
import { GribError } from './error.ts';

/**
 * Unpacks the three tables and checks that the groups hold exactly `values` values and fit into section 7, so that the
 * loops over points need no checks. Also returns the first bit of the packed values, and in 5.3 the first one or two
 * values and the overall minimum (zero for 5.2).
 */
const readGroups = (data: DataView, octets: number, packing: ComplexPacking, values: number) => {
  const { groups, bits, widthBits, lengthBits, extraOctets, order } = packing;
  const { widthReference, lengthReference, lengthIncrement, lastLength } = packing;
  // Groups without points are legal but useless; a few are accepted, a flood is an attack.
  if (groups > values + 1024) throw bad(`${groups} groups for ${values} values`);
  let at = order === 0 ? 0 : (order + 1) * extraOctets;
  const tables = [bits, widthBits, lengthBits].map((width) => octetsOf(groups * width));
  if (tables.reduce((sum, table) => sum + table, at) > octets)
    throw bad('the group tables do not fit in section 7');
  const table = (width: number): Int32Array => {
    const begin = at * 8;
    at += octetsOf(groups * width);
    return new Int32Array(groups).map((_, g) => bitsAt(data, begin + g * width, width));
  };
  const [references, widths, lengths] = [table(bits), table(widthBits), table(lengthBits)];
  let points = 0;
  let packedBits = 0;
  for (let g = 0; g < groups; g++) {
    const width = (widths[g] ?? 0) + widthReference;
    const length = g === groups - 1 ? lastLength : (lengths[g] ?? 0) * lengthIncrement + lengthReference;
    points += length;
    packedBits += length * width;
    if (width > 32 || points > values) throw bad(`group ${g} of ${length} values of ${width} bits`);
    widths[g] = width;
    lengths[g] = length;
  }
  if (points !== values) throw bad(`groups hold ${points} of ${values} values`);
  if (packedBits > (octets - at) * 8) throw bad('the packed values do not fit in section 7');
  const descriptor = (n: number): number => signed(data, n * extraOctets, extraOctets);
  return {
    references,
    widths,
    lengths,
    bit: at * 8,
    first: order === 0 ? 0 : descriptor(0),
    second: order === 2 ? descriptor(1) : 0,
    minimum: order === 0 ? 0 : descriptor(order),
  };
};

const bad = (message: string): GribError => new GribError('BAD_DATA', message);

const allOnes = (width: number): number => (width >= 32 ? -1 : 2 ** width - 1);

/**
 * Packing 5.2 and 5.3: groups of values, with spatial differencing of order 1 or 2 in 5.3, whose running sums d (order 2
 * only) and y are in wrapping int32 arithmetic. If values may be missing, a packed value with all bits set marks a missing
 * point; with `missingManagement` 2 so does that value less one. A group of width 0 has no packed values: its reference marks
 * all its points as missing in the same way. Missing points become NaN and do not advance the differencing. Writes `count` values to `out`.
 */
export const decodeComplex = (
  data: DataView,
  octets: number,
  packing: ComplexPacking,
  count: number,
  out: Float32Array,
): void => {
  const { base, step, order, missingManagement } = packing;
  // A constant field may have no groups; section 7 is then empty, without even the descriptors of 5.3.
  if (packing.groups === 0) {
    out.fill(base, 0, count);
    return;
  }
  const { references, widths, lengths, first, second, ...tables } = readGroups(data, octets, packing, count);
  const minimum = tables.minimum | 0;
  const mayMiss = missingManagement !== 0;
  let bit = tables.bit | 0;
  let point = 0;
  let seen = 0;
  let d = 0;
  let y = 0;
  for (let g = 0; g < packing.groups; g++) {
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
    for (; point < end; point++, bit = (bit + width) | 0) {
      const value = bitsAt(data, bit, width);
      if (mayMiss && width !== 0 && (value === primary || value === secondary)) {
        out[point] = Number.NaN;
        continue;
      }
      if (order === 0) {
        out[point] = base + ((reference >>> 0) + (value >>> 0)) * step;
        continue;
      }
      if (seen < order) {
        // The first points take their values from the descriptors; their packed values are ignored.
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
