/** Big-endian numbers of GRIB2: signed numbers are sign and magnitude, never two's complement. */

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
