import { metresPerFoot } from '../users/units.ts';
import { round } from './units.ts';

const maxSlopePercent = 2;

export interface Slope {
  /** Of the low direction, uphill positive. */
  percent: number;
  source: 'published' | 'assumed';
  clamped: boolean;
}

/**
 * Slope from the elevations of both ends. Missing elevations, or both equal to the field elevation (a source
 * that only copied it), count as unknown: 0, assumed. Beyond 2 % it is limited to 2 % and flagged.
 */
export const runwaySlope = (
  lowElevationFt: number | null,
  highElevationFt: number | null,
  fieldElevationFt: number | null,
  lengthM: number,
): Slope => {
  const copied = lowElevationFt === fieldElevationFt && highElevationFt === fieldElevationFt;
  if (lowElevationFt === null || highElevationFt === null || copied) {
    return { percent: 0, source: 'assumed', clamped: false };
  }
  const percent = (((highElevationFt - lowElevationFt) * metresPerFoot) / lengthM) * 100;
  const held = Math.min(maxSlopePercent, Math.max(-maxSlopePercent, percent));
  return { percent: round(held, 3), source: 'published', clamped: held !== percent };
};
