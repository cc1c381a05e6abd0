/** Reasons why a GRIB2 file is invalid or one of its fields is refused. */
type GribErrorCode =
  | 'NOT_GRIB'
  | 'TRUNCATED'
  | 'BAD_STRUCTURE'
  | 'BAD_DATA'
  | 'LIMIT_EXCEEDED'
  | 'UNSUPPORTED_EDITION'
  | 'UNSUPPORTED_GRID'
  | 'UNSUPPORTED_PRODUCT'
  | 'UNSUPPORTED_PACKING'
  | 'UNSUPPORTED_BITMAP';

/** Decoder error; its message names the refused part, as in "5.40". */
export class GribError extends Error {
  override readonly name = 'GribError';
  readonly code: GribErrorCode;

  constructor(code: GribErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Latitude/longitude grid of template 3.0; degrees as coded, longitudes 0..360 or negative. */
export interface GribGrid {
  ni: number;
  nj: number;
  lat1: number;
  lon1: number;
  lat2: number;
  lon2: number;
  /** Increments, always positive; computed from the corners when the file omits them. */
  di: number;
  dj: number;
  /** Scan flags: 128 columns run westward, 64 rows run northward, 32 columns first, 16 alternate direction. */
  scan: number;
  /** True when u and v follow the grid axes instead of true east and north. */
  uvRelativeToGrid: boolean;
}

/** First fixed surface; `value` is null when the file marks it missing. Isobaric levels (type 100) are in Pa. */
export interface GribLevel {
  type: number;
  value: number | null;
}

interface ScaledPacking {
  /** Reference value R, already multiplied by 10^-D. */
  base: number;
  /** Step 2^E x 10^-D. */
  step: number;
  /** Bits per value (5.0) or per group reference (5.2, 5.3). */
  bits: number;
}

export interface SimplePacking extends ScaledPacking {
  template: 0;
}

export interface ComplexPacking extends ScaledPacking {
  template: 2 | 3;
  /** 0 none, 1 primary missing values, 2 primary and secondary. */
  missingManagement: 0 | 1 | 2;
  groups: number;
  widthReference: number;
  widthBits: number;
  lengthReference: number;
  lengthIncrement: number;
  lastLength: number;
  lengthBits: number;
  /** Order of spatial differencing: 0 for 5.2, else 1 or 2. */
  order: 0 | 1 | 2;
  extraOctets: number;
}

export type Packing = SimplePacking | ComplexPacking;

/** One field in a message: its headers and the location of its bits. `decodeField` decodes the values. */
export interface GribField {
  kind: 'field';
  /** Message number in the file from 1; field index inside the message from 0. */
  message: number;
  field: number;
  /** Originating centre (common code table C-11): 7 is NCEP. */
  centre: number;
  discipline: number;
  category: number;
  number: number;
  /** Reference time of the data (cycle), milliseconds UTC. */
  referenceTimeMs: number;
  /** Forecast time in hours; the start of the interval for accumulations and means. */
  forecastHour: number;
  level: GribLevel;
  grid: GribGrid;
  points: number;
  /** Values present in section 7 (fewer than points where a bitmap hides some). */
  packedValues: number;
  packing: Packing;
  /** Bitmap octets (one bit a point, 1 = present) or null. */
  bitmap: Uint8Array | null;
  /** Octets of the message, and the range of section 7's content in them. */
  bytes: Uint8Array;
  dataStart: number;
  dataEnd: number;
}

/** A field or message that cannot be decoded, with the known part of its headers. */
interface GribFault {
  kind: 'fault';
  message: number;
  field: number;
  error: GribError;
}

export type GribEntry = GribField | GribFault;
