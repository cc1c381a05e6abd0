import { decodeComplex } from './complex.ts';
import { GribError } from './types.ts';
import type { GribField, SimplePacking, GribGrid } from './types.ts';
import { wideBits } from './bits.ts';

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

/** Section 7 of a message: the view covers the whole message, `start` and `end` are octets in it. */
export interface DataSpan {
  view: DataView;
  start: number;
  end: number;
}

/** Packing 5.0: value = base + n x step. Writes `count` values to `out`. */
const decodeSimple = (span: DataSpan, packing: SimplePacking, count: number, out: Float32Array): void => {
  const { base, step, bits } = packing;
  if (bits === 0) {
    out.fill(base, 0, count);
    return;
  }
  if (count * bits > (span.end - span.start) * 8)
    throw new GribError('BAD_DATA', `${count} values of ${bits} bits do not fit in section 7`);
  const view = span.view;
  let bit = span.start * 8;
  if (bits > 25) {
    for (let i = 0; i < count; i++, bit += bits) out[i] = base + (wideBits(view, bit, bits) >>> 0) * step;
    return;
  }
  const mask = (1 << bits) - 1;
  const room = 32 - bits;
  for (let i = 0; i < count; i++, bit += bits)
    out[i] = base + ((view.getInt32(bit >>> 3) >>> (room - (bit & 7))) & mask) * step;
};

/**
 * Values of a field in file order, NaN where missing, in the field's SI unit. Writes to `reuse` and returns it if it is
 * large enough, so that decoding many fields allocates once. Throws GribError BAD_DATA when data contradict the
 * headers.
 */
export const decodeField = (field: GribField, reuse?: Float32Array): Float32Array => {
  const out =
    reuse && reuse.length >= field.points ? reuse.subarray(0, field.points) : new Float32Array(field.points);
  const { bytes, packing, packedValues } = field;
  const span: DataSpan = {
    view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    start: field.dataStart,
    end: field.dataEnd,
  };
  if (packing.template === 0) decodeSimple(span, packing, packedValues, out);
  else decodeComplex(span, packing, packedValues, out);
  if (field.bitmap) spreadBitmap(field.bitmap, packedValues, out);
  return out;
};

/** Like `decodeField`, with rows from north to south and columns from west to east for any scan mode. */
export const decodeNorthWest = (field: GribField, reuse?: Float32Array): Float32Array =>
  normaliseRows(field.grid, decodeField(field, reuse));

/** Moves present values to their points in place, starting at the end; NaN elsewhere. */
const spreadBitmap = (bitmap: Uint8Array, packedValues: number, out: Float32Array): void => {
  let present = 0;
  for (let i = 0; i < out.length; i++) present += ((bitmap[i >>> 3] ?? 0) >>> (7 - (i & 7))) & 1;
  if (present !== packedValues)
    throw new GribError('BAD_DATA', `the bitmap shows ${present} points, ${packedValues} values are packed`);
  let next = packedValues - 1;
  for (let i = out.length - 1; i >= 0; i--) {
    const shown = ((bitmap[i >>> 3] ?? 0) >>> (7 - (i & 7))) & 1;
    out[i] = shown ? (out[next--] ?? Number.NaN) : Number.NaN;
  }
};
