import { decodeComplex } from './complex.ts';
import { bitsAt } from './bits.ts';
import type { GribGrid } from './grid.ts';
import { GribError } from './error.ts';
import type { GribField } from './message.ts';

/**
 * Reorders rows as used in this code base: northernmost row first, westernmost column first, row by row. Returns
 * `values` itself if already in that order, else a new array.
 */
const normaliseRows = (grid: GribGrid, values: Float32Array): Float32Array => {
  if (grid.scan === 0) return values;
  const { ni, nj, scan } = grid;
  const westward = (scan & 0x80) !== 0;
  const northward = (scan & 0x40) !== 0;
  const columnsFirst = (scan & 0x20) !== 0;
  const alternate = (scan & 0x10) !== 0;
  const out = new Float32Array(values.length);
  const inner = columnsFirst ? nj : ni;
  for (let k = 0; k < values.length; k++) {
    const line = Math.floor(k / inner);
    const along = alternate && line % 2 === 1 ? inner - 1 - (k % inner) : k % inner;
    const i = columnsFirst ? line : along;
    const j = columnsFirst ? along : line;
    out[(northward ? nj - 1 - j : j) * ni + (westward ? ni - 1 - i : i)] = values[k] ?? Number.NaN;
  }
  return out;
};

/** North and west edges of a grid in degrees, matching `normaliseRows`. */
export const northWest = (grid: GribGrid): { latDeg: number; lonDeg: number } => ({
  latDeg: grid.scan & 0x40 ? grid.lat2 : grid.lat1,
  lonDeg: grid.scan & 0x80 ? grid.lon2 : grid.lon1,
});

/**
 * Values of a field in file order, NaN where missing, in the field's SI unit. Writes to `reuse` and returns it if it is
 * large enough, so that decoding many fields allocates once. Throws GribError BAD_DATA when data contradict the
 * headers.
 */
export const decodeField = (field: GribField, reuse?: Float32Array): Float32Array => {
  const out =
    reuse && reuse.length >= field.points ? reuse.subarray(0, field.points) : new Float32Array(field.points);
  const { data, dataOctets, packing, packedValues } = field;
  if (packing.template !== 0) decodeComplex(data, dataOctets, packing, packedValues, out);
  else {
    const { base, step, bits } = packing;
    if (packedValues * bits > dataOctets * 8)
      throw new GribError('BAD_DATA', `${packedValues} values of ${bits} bits do not fit in section 7`);
    for (let i = 0; i < packedValues; i++) out[i] = base + (bitsAt(data, i * bits, bits) >>> 0) * step;
  }
  if (field.bitmap) spreadBitmap(field.bitmap, packedValues, out);
  return out;
};

/** Like `decodeField`, with rows from north to south and columns from west to east for any scan mode. */
export const decodeNorthWest = (field: GribField, reuse?: Float32Array): Float32Array =>
  normaliseRows(field.grid, decodeField(field, reuse));

/** Moves present values to their points in place, starting at the end; NaN elsewhere. */
const spreadBitmap = (bitmap: Uint8Array, packedValues: number, out: Float32Array): void => {
  const isPresent = (i: number): number => ((bitmap[i >>> 3] ?? 0) >>> (7 - (i & 7))) & 1;
  let present = 0;
  for (let i = 0; i < out.length; i++) present += isPresent(i);
  if (present !== packedValues)
    throw new GribError('BAD_DATA', `the bitmap shows ${present} points, ${packedValues} values are packed`);
  let next = packedValues - 1;
  for (let i = out.length - 1; i >= 0; i--) out[i] = isPresent(i) ? (out[next--] ?? Number.NaN) : Number.NaN;
};
