/** Rows of the airport table, from the answers for its runways. */
import type { LandingRow, TakeoffRow } from '#domain/performance/airport-table.ts';
import type { LandingAnswer } from '#domain/performance/result.ts';
import { flownColumn } from '#domain/performance/takeoff-result.ts';
import type { TakeoffAnswer } from '#domain/performance/takeoff-result.ts';

const least = (margins: readonly (number | null)[]): number | null => {
  const known = margins.filter((margin) => margin !== null);
  return known.length === 0 ? null : Math.min(...known);
};

export const takeoffRow = (runway: string, { performance, errors }: TakeoffAnswer): TakeoffRow => {
  const column = performance && flownColumn(performance);
  return {
    runway,
    maxTakeoffWeight: performance?.maxTakeoffWeight ?? null,
    limitedBy: performance?.limitedBy ?? null,
    flap: performance?.flap ?? null,
    assumedTemperature: performance?.assumedTemperature ?? null,
    v1: performance?.v1 ?? null,
    vR: performance?.vR ?? null,
    v2: performance?.v2 ?? null,
    margin: column ? least([column.asdMargin, column.eogdMargin, column.agdMargin]) : null,
    verdict: performance?.verdict ?? null,
    shown: performance?.shown ?? null,
    limitsExceeded: performance?.limitsExceeded ?? [],
    windComponents: performance?.windComponents ?? null,
    error: errors?.[0] ?? null,
  };
};

export const landingRow = (runway: string, { performance, errors }: LandingAnswer): LandingRow => {
  const mode = performance?.autobrakeLandingDist?.[0];
  const distance = mode?.factoredDistance ?? performance?.requiredLandingDist ?? null;
  const lda = performance?.lda ?? null;
  return {
    runway,
    lda,
    landingWeight: performance?.landingWeight ?? null,
    limitedBy: performance?.limitedBy ?? null,
    mode: mode?.label ?? null,
    distance,
    margin: lda === null || distance === null ? null : lda - distance,
    verdict: performance?.verdict ?? null,
    shown: performance?.shown ?? null,
    limitsExceeded: performance?.limitsExceeded ?? [],
    windComponents: performance?.windComponents ?? null,
    error: errors?.[0] ?? null,
  };
};

/**
 * 0: within limits, 1: with a result, 2: without. A wind limit can be exceeded even without a weight and so without a
 * verdict.
 */
const rank = ({
  verdict,
  limitsExceeded,
  error,
}: Pick<TakeoffRow | LandingRow, 'verdict' | 'limitsExceeded' | 'error'>): number => {
  if (error !== null) return 2;
  return limitsExceeded.length === 0 && (verdict === null || verdict === 'FITS') ? 0 : 1;
};
const falling = (a: number | null, b: number | null): number => (b ?? -Infinity) - (a ?? -Infinity) || 0;

/** Into the wind first if the weight fits, else by weight; then by thrust reduction, then by margin. */
export const bestTakeoffs = <R extends TakeoffRow>(rows: readonly R[]): R[] =>
  rows.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      (a.verdict === 'FITS' && b.verdict === 'FITS'
        ? falling(a.windComponents?.headwind ?? null, b.windComponents?.headwind ?? null)
        : 0) ||
      falling(a.maxTakeoffWeight, b.maxTakeoffWeight) ||
      falling(a.assumedTemperature, b.assumedTemperature) ||
      falling(a.margin, b.margin),
  );

/** By weight, then by margin. */
export const bestLandings = <R extends LandingRow>(rows: readonly R[]): R[] =>
  rows.toSorted(
    (a, b) => rank(a) - rank(b) || falling(a.landingWeight, b.landingWeight) || falling(a.margin, b.margin),
  );
