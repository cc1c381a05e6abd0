import { GribError } from './error.ts';
import { signed } from './bits.ts';

/** Latitude/longitude grid of template 3.0. */
export type GribGrid = ReturnType<typeof readGrid>;

/** Maximum number of points of a field: four times a global 0.25 degree grid, 16 MB as float32. */
const maxPoints = 4_194_304;

const missing = 0xffffffff;

/** Reads section 3 (grid definition). Refuses everything but template 3.0. */
export const readGrid = (section: DataView) => {
  const template = section.getUint16(12);
  if (section.getUint8(5) !== 0)
    throw new GribError('UNSUPPORTED_GRID', 'predefined grids are not supported');
  if (template !== 0) throw new GribError('UNSUPPORTED_GRID', `grid template 3.${template} is not supported`);
  if (section.byteLength < 72) throw new GribError('BAD_STRUCTURE', 'section 3 is too short for 3.0');
  const ni = section.getUint32(30);
  const nj = section.getUint32(34);
  if (section.getUint8(10) !== 0 || ni === missing || nj === missing)
    throw new GribError('UNSUPPORTED_GRID', 'grid template 3.0 with rows of unequal length (reduced grid)');
  const points = section.getUint32(6);
  if (ni === 0 || nj === 0 || ni * nj !== points)
    throw new GribError('BAD_DATA', `grid of ${ni} x ${nj} does not have ${points} points`);
  if (points > maxPoints)
    throw new GribError('LIMIT_EXCEEDED', `3.0: ${points} points exceed the limit of ${maxPoints}`);
  const scan = section.getUint8(71);
  if ((scan & 0x0f) !== 0)
    throw new GribError('UNSUPPORTED_GRID', `scan mode ${scan} (staggered rows) is not supported`);
  const unit = angleUnit(section);
  const flags = section.getUint8(54);
  /** Degrees as coded, longitudes 0 to 360 or negative. */
  const corners = {
    lat1: signed(section, 46, 4) * unit,
    lon1: signed(section, 50, 4) * unit,
    lat2: signed(section, 55, 4) * unit,
    lon2: signed(section, 59, 4) * unit,
  };
  return {
    ni,
    nj,
    ...corners,
    /** Increments, always positive; computed from the corners when the file omits them. */
    di: increment(section.getUint32(63), (flags & 0x20) !== 0, unit, columnSpan(corners, scan), ni),
    dj: increment(section.getUint32(67), (flags & 0x10) !== 0, unit, corners.lat2 - corners.lat1, nj),
    /** Scan flags: 128 columns run westward, 64 rows run northward, 32 columns first, 16 alternate direction. */
    scan,
    /** True when u and v follow the grid axes instead of true east and north. */
    uvRelativeToGrid: (flags & 0x08) !== 0,
  };
};

/** Degrees per unit: 1e-6 unless a basic angle and its subdivisions are given. */
const angleUnit = (section: DataView): number => {
  const basic = section.getUint32(38);
  const subdivisions = section.getUint32(42);
  if (basic === 0 || basic === missing || subdivisions === 0 || subdivisions === missing) return 1e-6;
  return basic / subdivisions;
};

const columnSpan = (corners: { lon1: number; lon2: number }, scan: number): number => {
  const span = scan & 0x80 ? corners.lon1 - corners.lon2 : corners.lon2 - corners.lon1;
  return span < 0 ? span + 360 : span;
};

const increment = (raw: number, given: boolean, unit: number, span: number, count: number): number => {
  if (given && raw !== missing) return raw * unit;
  return count > 1 ? Math.abs(span) / (count - 1) : 0;
};
