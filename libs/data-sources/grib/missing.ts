import { unpackBits } from './bits.ts';
import type { GroupTables } from './groups.ts';
import type { ComplexPacking } from './types.ts';

const one = new Int32Array(1);

/**
 * Complex packing with missing value management: within a group all ones (and, with management 2, all ones
 * less one) mark a missing point; in groups of width 0 the reference does, in the width of references.
 * Missing points come out as NaN and do not advance the differencing.
 */
export function decodeWithMissing(
  view: DataView,
  tables: GroupTables,
  packing: ComplexPacking,
  out: Float32Array,
): void {
  const { references, widths, lengths } = tables;
  const undo = differences(tables, packing);
  let bit = tables.bit;
  let point = 0;
  for (let g = 0; g < tables.count; g++) {
    const width = widths[g] ?? 0;
    const reference = references[g] ?? 0;
    const end = point + (lengths[g] ?? 0);
    const marks = missingMarks(width === 0 ? packing.bits : width, packing.missingManagement);
    for (; point < end; point++, bit += width) {
      let value = reference;
      if (width !== 0) {
        unpackBits(view, bit, width, 1, one);
        value = one[0] ?? 0;
      }
      if (value === marks.primary || value === marks.secondary) out[point] = Number.NaN;
      else out[point] = packing.base + undo(width === 0 ? value : (value + reference) | 0) * packing.step;
    }
  }
}

function missingMarks(width: number, management: number): { primary: number; secondary: number } {
  const primary = width >= 32 ? -1 : 2 ** width - 1;
  return { primary, secondary: management === 2 ? primary - 1 : primary };
}

/** Turns the packed number of the next present point into its value. */
function differences(tables: GroupTables, packing: ComplexPacking): (packed: number) => number {
  const { first, second, minimum } = tables;
  let seen = 0;
  let d = 0;
  let y = 0;
  if (packing.order === 0) return (packed) => packed >>> 0;
  return (packed) => {
    seen += 1;
    if (seen === 1) y = first;
    else if (packing.order === 1) y = (y + packed + minimum) | 0;
    else if (seen === 2) {
      y = second;
      d = (second - first) | 0;
    } else {
      d = (d + packed + minimum) | 0;
      y = (y + d) | 0;
    }
    return y;
  };
}
