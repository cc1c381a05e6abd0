/** Big-endian numbers in GRIB2: signed ones are sign and magnitude, never two's complement. */

export const signed16 = (view: DataView, at: number): number => {
  const raw = view.getUint16(at);
  return raw & 0x8000 ? -(raw & 0x7fff) : raw;
};

export const signed8 = (view: DataView, at: number): number => {
  const raw = view.getUint8(at);
  return raw & 0x80 ? -(raw & 0x7f) : raw;
};

export const signed32 = (view: DataView, at: number): number => {
  const raw = view.getUint32(at);
  return raw >= 0x80000000 ? -(raw - 0x80000000) : raw;
};

/** Sign-and-magnitude number of 0 to 4 octets; 0 octets read as 0. */
export const signedOctets = (view: DataView, at: number, octets: number): number => {
  let magnitude = 0;
  for (let i = 0; i < octets; i++) magnitude = magnitude * 256 + view.getUint8(at + i);
  const signBit = 2 ** (8 * octets - 1);
  return octets > 0 && magnitude >= signBit ? -(magnitude - signBit) : magnitude;
};

/**
 * Reads `count` unsigned numbers of `width` bits (0 to 32), starting at bit `bit`, into `out`; 32-bit ones wrap to
 * negative int32. The caller has checked that the bits are inside the section. Reading five octets for the last number
 * is safe, because every section is followed by at least the four octets of the end marker.
 */
export const unpackBits = (
  view: DataView,
  bit: number,
  width: number,
  count: number,
  out: Int32Array,
): void => {
  if (width === 0) {
    out.fill(0, 0, count);
    return;
  }
  if (width > 25) {
    for (let i = 0; i < count; i++, bit += width) out[i] = wideBits(view, bit, width);
    return;
  }
  const mask = (1 << width) - 1;
  const room = 32 - width;
  for (let i = 0; i < count; i++, bit += width)
    out[i] = (view.getInt32(bit >>> 3) >>> (room - (bit & 7))) & mask;
};

/** One number of 26 to 32 bits, as int32 (a 32-bit one may come out negative). */
export const wideBits = (view: DataView, bit: number, width: number): number => {
  const at = bit >>> 3;
  const end = (bit & 7) + width;
  const high = view.getInt32(at);
  const value =
    end <= 32 ? high >>> (32 - end) : (high << (end - 32)) | (view.getUint8(at + 4) >>> (40 - end));
  return width === 32 ? value | 0 : value & ((1 << width) - 1);
};

/** Octets occupied by `bits` bits. */
export const octetsOf = (bits: number): number => Math.ceil(bits / 8);
