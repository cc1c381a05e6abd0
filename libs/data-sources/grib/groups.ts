import { octetsOf, unpackBits } from './bits.ts';
import { GribError } from './errors.ts';
import { signedOctets } from './octets.ts';
import type { DataSpan } from './simple.ts';
import type { ComplexPacking } from './types.ts';

/** The group tables of complex packing and the start of the packed values. */
interface GroupTables {
  references: Int32Array;
  widths: Int32Array;
  lengths: Int32Array;
  count: number;
  /** Bit offset of the first packed value in the message. */
  bit: number;
  /** First value or values and overall minimum of 5.3 (zero for 5.2). */
  first: number;
  second: number;
  minimum: number;
}

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
 * Unpacks the three tables and checks that the groups hold exactly `values` values and fit in section 7, so
 * that the loops over the points need no checks.
 */
export const readGroups = (span: DataSpan, packing: ComplexPacking, values: number): GroupTables => {
  const { view } = span;
  const { groups, bits, widthBits, lengthBits, extraOctets, order } = packing;
  // A group without points is legal but useless; a few are accepted, a flood of them is an attack.
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
    references,
    widths,
    lengths,
    count: groups,
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

const bad = (message: string): GribError => new GribError('BAD_DATA', message, { section: 7 });
