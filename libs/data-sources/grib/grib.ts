/**
 * The GRIB2 decoder: grid 3.0; packing 5.0, 5.2, 5.3, 5.4, 5.42; bitmaps; all scan modes; anything else is refused
 * by name.
 */
export { decodeField, decodeNorthWest } from './decode.ts';
export { GribError } from './errors.ts';
export type { GribErrorCode } from './errors.ts';
export { gribFields, readGrib } from './read.ts';
export { normaliseRows, northWest } from './scan.ts';
export type { GribEntry, GribFault, GribField, GribGrid, GribLevel } from './types.ts';
