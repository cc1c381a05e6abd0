import { wideBits } from './bits.ts';
import { GribError } from './errors.ts';
import type { IeeePacking, SimplePacking } from './types.ts';

/** Section 7 of a message: the view covers the whole message, `start` and `end` are octets in it. */
export interface DataSpan {
  view: DataView;
  start: number;
  end: number;
}

/** Packing 5.0: value = base + n x step. Writes `count` values to `out`. */
export const decodeSimple = (
  span: DataSpan,
  packing: SimplePacking,
  count: number,
  out: Float32Array,
): void => {
  const { base, step, bits } = packing;
  if (bits === 0) {
    out.fill(base, 0, count);
    return;
  }
  if (count * bits > (span.end - span.start) * 8)
    throw new GribError('BAD_DATA', `${count} values of ${bits} bits do not fit in section 7`, {
      section: 7,
    });
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

/** Packing 5.4: IEEE floats of 32 or 64 bits, big-endian. Writes `count` values to `out`. */
export const decodeIeee = (span: DataSpan, packing: IeeePacking, count: number, out: Float32Array): void => {
  if (count * packing.octets > span.end - span.start)
    throw new GribError('BAD_DATA', `${count} values of ${packing.octets} octets do not fit in section 7`, {
      section: 7,
    });
  const { view, start } = span;
  if (packing.octets === 4) for (let i = 0; i < count; i++) out[i] = view.getFloat32(start + i * 4);
  else for (let i = 0; i < count; i++) out[i] = view.getFloat64(start + i * 8);
};
