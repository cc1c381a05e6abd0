import type { CloudGroup } from './groups.ts';
import { readReport } from './report.ts';
import type { Conditions } from './report.ts';

/** Flight category of the FAA, best first. */
export const flightCategories = ['VFR', 'MVFR', 'IFR', 'LIFR'] as const;
export type FlightCategory = (typeof flightCategories)[number];

const metresPerMile = 1_609.344;

/** Statute miles; null when not reported. */
const visibilityMiles = ({ visibility, cavok }: Conditions): number | null => {
  if (cavok) return Infinity;
  if (visibility === null) return null;
  return visibility.statuteMiles ?? (visibility.metres === null ? null : visibility.metres / metresPerMile);
};

const ceilingsOf = ({ clouds }: Conditions): CloudGroup[] =>
  clouds.filter(({ amount }) => amount === 'BKN' || amount === 'OVC');

/** Whether a ceiling has no reported height, `BKN///` or `VV///`; layers are printed from the lowest up. */
const isHeightMissing = (conditions: Conditions): boolean =>
  ceilingsOf(conditions)[0]?.baseFt === null ||
  (conditions.isSkyObscured && conditions.verticalVisibilityFt === null);

/** The lowest ceiling with a height; null when no clouds are reported. */
const lowestFt = (conditions: Conditions): number | null => {
  const { clouds, cavok, noCloud, verticalVisibilityFt } = conditions;
  const bases = ceilingsOf(conditions).flatMap(({ baseFt }) => (baseFt === null ? [] : [baseFt]));
  if (verticalVisibilityFt !== null) bases.push(verticalVisibilityFt);
  if (bases.length > 0) return Math.min(...bases);
  return cavok || noCloud !== null || clouds.some(({ amount }) => amount !== null) ? Infinity : null;
};

/** Ceiling in feet (or vertical visibility), Infinity without one; null when it or its height is not reported. */
export const ceilingFt = (conditions: Conditions): number | null =>
  isHeightMissing(conditions) ? null : lowestFt(conditions);

/** Index into `flightCategories`. */
const rank = (value: number | null, lifr: number, ifr: number, mvfr: number): number => {
  if (value === null || value > mvfr) return 0;
  if (value < lifr) return 3;
  return value < ifr ? 2 : 1;
};

/**
 * The worse category of ceiling and visibility (AIM 7-1-7): LIFR below 500 ft or 1 SM, IFR below 1,000 ft or 3 SM, MVFR
 * to 3,000 ft or 5 SM. Null when neither is reported, or a ceiling without a height may be worse than VFR or MVFR.
 */
export const categoryOf = (conditions: Conditions): FlightCategory | null => {
  const miles = visibilityMiles(conditions);
  const ceiling = lowestFt(conditions);
  if (miles === null && ceiling === null) return null;
  const worst = Math.max(rank(miles, 1, 3, 5), rank(ceiling, 500, 1_000, 3_000));
  return worst < flightCategories.indexOf('IFR') && isHeightMissing(conditions)
    ? null
    : (flightCategories[worst] ?? null);
};

/** Flight category of a METAR. */
export const flightCategory = (metar: string): FlightCategory | null =>
  categoryOf(readReport(metar, 'METAR').main);
