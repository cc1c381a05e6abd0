import { wideBits, octetsOf, unpackBits, signedOctets } from './bits.ts';
import type { DataSpan } from './decode.ts';
import type { ComplexPacking } from './types.ts';
import { GribError } from './types.ts';

// Decoding is synchronous, so the tables are kept between fields; they grow to MAX_GROUPS at most.
let references = new Int32Array(4096);
let widths = new Int32Array(4096);
let lengths = new Int32Array(4096);

const reserve = (count: number): void => {
  if (references.length >= count) return;
  references = new Int32Array(count);
  widths = new Int32Array(count);
  lengths = new Int32Array(count);
};

/**
 * Unpacks the three tables and checks that the groups hold exactly `values` values and fit into section 7, so that the
 * loops over points need no checks. Returns the bit offset of the first packed value in the message, and in 5.3 the first
 * one or two values and the overall minimum (zero for 5.2).
 */
const readGroups = (span: DataSpan, packing: ComplexPacking, values: number) => {
  const { view } = span;
  const { groups, bits, widthBits, lengthBits, extraOctets, order } = packing;
  // Groups without points are legal but useless; a few are accepted, a flood is an attack.
  if (groups > values + 1024) throw bad(`${groups} groups for ${values} values`);
  const descriptors = order === 0 ? 0 : (order + 1) * extraOctets;
  const tablesAt = span.start + descriptors;
  const octets =
    descriptors + octetsOf(groups * bits) + octetsOf(groups * widthBits) + octetsOf(groups * lengthBits);
  if (octets > span.end - span.start) throw bad('the group tables do not fit in section 7');
  reserve(groups);
  let at = tablesAt;
  unpackBits(view, at * 8, bits, groups, references);
  at += octetsOf(groups * bits);
  unpackBits(view, at * 8, widthBits, groups, widths);
  at += octetsOf(groups * widthBits);
  unpackBits(view, at * 8, lengthBits, groups, lengths);
  at += octetsOf(groups * lengthBits);
  finishTables(packing, values, (span.end - at) * 8);
  const descriptor = (n: number): number => signedOctets(view, span.start + n * extraOctets, extraOctets);
  return {
    bit: at * 8,
    first: order === 0 ? 0 : descriptor(0),
    second: order === 2 ? descriptor(1) : 0,
    minimum: order === 0 ? 0 : descriptor(order),
  };
};

/** Adds the reference width and length to the tables and checks the sums. */
const finishTables = (packing: ComplexPacking, values: number, bitsLeft: number): void => {
  const { groups, widthReference, lengthReference, lengthIncrement, lastLength } = packing;
  let points = 0;
  let bits = 0;
  for (let g = 0; g < groups; g++) {
    const width = (widths[g] ?? 0) + widthReference;
    const length = g === groups - 1 ? lastLength : (lengths[g] ?? 0) * lengthIncrement + lengthReference;
    points += length;
    bits += length * width;
    if (width > 32 || points > values) throw bad(`group ${g} of ${length} values of ${width} bits`);
    widths[g] = width;
    lengths[g] = length;
  }
  if (points !== values) throw bad(`groups hold ${points} of ${values} values`);
  if (bits > bitsLeft) throw bad('the packed values do not fit in section 7');
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
  span: DataSpan,
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
  const { view } = span;
  const { first, second, ...tables } = readGroups(span, packing, count);
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
