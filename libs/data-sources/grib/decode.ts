import { decodeComplex } from './complex.ts';
import { GribError } from './errors.ts';
import { normaliseRows } from './scan.ts';
import { decodeIeee, decodeSimple } from './simple.ts';
import type { DataSpan } from './simple.ts';
import type { GribField } from './types.ts';

/**
 * Values of a field in storage order (the order of the file), NaN where missing, in the field's SI unit.
 * `reuse` is written and returned when it is large enough, so that decoding many fields allocates once. Throws
 * GribError BAD_DATA when the octets contradict the headers.
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
  else if (packing.template === 4) decodeIeee(span, packing, packedValues, out);
  else decodeComplex(span, packing, packedValues, out);
  if (field.bitmap) spreadBitmap(field.bitmap, packedValues, out);
  return out;
};

/**
 * As `decodeField`, but rows run from north to south and columns from west to east regardless of the scan mode.
 */
export const decodeNorthWest = (field: GribField, reuse?: Float32Array): Float32Array =>
  normaliseRows(field.grid, decodeField(field, reuse));

/** Moves the present values to their points, from the end so that it works in place; NaN elsewhere. */
const spreadBitmap = (bitmap: Uint8Array, packedValues: number, out: Float32Array): void => {
  let present = 0;
  for (let i = 0; i < out.length; i++) present += ((bitmap[i >>> 3] ?? 0) >>> (7 - (i & 7))) & 1;
  if (present !== packedValues)
    throw new GribError('BAD_DATA', `the bitmap shows ${present} points, ${packedValues} values are packed`, {
      section: 6,
    });
  let next = packedValues - 1;
  for (let i = out.length - 1; i >= 0; i--) {
    const shown = ((bitmap[i >>> 3] ?? 0) >>> (7 - (i & 7))) & 1;
    out[i] = shown ? (out[next--] ?? Number.NaN) : Number.NaN;
  }
};
