import { MODEL_EPOCH, MODEL_VALID_UNTIL, magneticField } from 'magvar';
import type { Airport } from '../airports/types.ts';
import { rad } from '../geography/sphere.ts';
import { dayMs } from '../time.ts';

/** World Magnetic Model 2025 of NOAA NCEI and BGS, public domain; a release of the package brings the next one. */
export const wmm2025 = { name: `WMM${MODEL_EPOCH}`, epoch: MODEL_EPOCH, validUntil: MODEL_VALID_UNTIL };

/** 2026-07-02T12:00Z is 2026.5; leap years count 366 days. */
export const decimalYear = (date: Date): number => {
  const year = date.getUTCFullYear();
  const start = Date.UTC(year, 0, 1);
  return year + (date.getTime() - start) / (Date.UTC(year + 1, 0, 1) - start);
};

const modelYears = 5;

/** False for a model (by name, `WMM2025`) that is not valid on this day. */
export const isModelCurrent = (name: string, at: Date): boolean => {
  const epoch = Number(/\d{4}/.exec(name)?.[0] ?? NaN);
  const year = at.getUTCFullYear();
  return year >= epoch && year < epoch + modelYears;
};

/** Days until the model expires. */
export const modelDaysLeft = (at: Date): number =>
  Math.floor((Date.UTC(wmm2025.validUntil, 0, 1) - at.getTime()) / dayMs);

const feetToKm = 0.0003048;
/** At the end of its validity the package would warn on the console. */
const lastYear = wmm2025.validUntil - 1e-6;

/**
 * Magnetic variation (declination) at field elevation in degrees, east positive, in a decimal year, or the nearest one
 * for which the model is valid.
 */
export const magneticVariation = (
  { latitudeDeg, longitudeDeg, elevationFt }: Pick<Airport, 'latitudeDeg' | 'longitudeDeg' | 'elevationFt'>,
  year: number,
): number => {
  const used = Math.min(Math.max(year, wmm2025.epoch), lastYear);
  const { x, y } = magneticField(latitudeDeg, longitudeDeg, (elevationFt ?? 0) * feetToKm, used);
  return Math.atan2(y, x) / rad;
};
