/** Why a GRIB2 file is invalid or a field of it is refused. */
export type GribErrorCode =
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

/** Typed error of the decoder; `section` and `template` name what was refused, as in "5.40". */
export class GribError extends Error {
  override readonly name = 'GribError';
  readonly code: GribErrorCode;
  readonly section: number | null;
  readonly template: number | null;

  constructor(code: GribErrorCode, message: string, where: { section?: number; template?: number } = {}) {
    super(message);
    this.code = code;
    this.section = where.section ?? null;
    this.template = where.template ?? null;
  }
}

const gridNames: Readonly<Record<number, string>> = {
  1: 'rotated latitude/longitude',
  10: 'Mercator',
  12: 'transverse Mercator',
  20: 'polar stereographic',
  30: 'Lambert conformal',
  31: 'Albers equal area',
  40: 'Gaussian latitude/longitude',
  41: 'rotated Gaussian',
  50: 'spherical harmonics',
  90: 'space view',
  101: 'unstructured',
};

const packingNames: Readonly<Record<number, string>> = {
  1: 'matrix',
  40: 'JPEG 2000',
  41: 'PNG',
  50: 'spectral simple',
  51: 'spectral complex',
  53: 'bi-Fourier',
  61: 'logarithmic simple',
  200: 'run length',
  40000: 'JPEG 2000 (old local number)',
  40010: 'PNG (old local number)',
};

/** Error for an unsupported grid template, with its number and name. */
export const unsupportedGrid = (template: number): GribError => {
  const name = gridNames[template] ?? 'unknown';
  return new GribError('UNSUPPORTED_GRID', `grid template 3.${template} (${name}) is not supported`, {
    section: 3,
    template,
  });
};

/** Error for an unsupported product template, with its number. */
export const unsupportedProduct = (template: number): GribError =>
  new GribError('UNSUPPORTED_PRODUCT', `product template 4.${template} is not supported`, {
    section: 4,
    template,
  });

/** Error for an unsupported packing template, with its number and name. */
export const unsupportedPacking = (template: number): GribError => {
  const name = packingNames[template] ?? 'unknown';
  return new GribError('UNSUPPORTED_PACKING', `packing template 5.${template} (${name}) is not supported`, {
    section: 5,
    template,
  });
};
