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
