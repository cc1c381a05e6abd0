/** Big-endian numbers in GRIB2. */

/** Number of 0 to 4 octets as sign and magnitude, never two's complement; 0 octets read as 0. */
export const signed = (view: DataView, at: number, octets: number): number => {
  let magnitude = 0;
  for (let i = 0; i < octets; i++) magnitude = magnitude * 256 + view.getUint8(at + i);
  const signBit = 2 ** (8 * octets - 1);
  return octets > 0 && magnitude >= signBit ? -(magnitude - signBit) : magnitude;
};

/**
 * One unsigned number of 0 to 32 bits; one of 32 bits wraps to a negative int32. The caller has checked that the bits
 * are inside the section. Reading five octets for the last number is safe, because every section is followed by at
 * least the four octets of the end marker.
 */
export const bitsAt = (view: DataView, bit: number, width: number): number => {
  if (width === 0) return 0;
  const at = bit >>> 3;
  const end = (bit & 7) + width;
  const high = view.getInt32(at);
  const value =
    end <= 32 ? high >>> (32 - end) : (high << (end - 32)) | (view.getUint8(at + 4) >>> (40 - end));
  return value & (-1 >>> (32 - width));
};

/** Octets occupied by `bits` bits. */
export const octetsOf = (bits: number): number => Math.ceil(bits / 8);
