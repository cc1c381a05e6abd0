import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { CalcCase } from '#domain/performance/calc.ts';
import { calculateLine } from '#perf/wire/calc.ts';
import { valueAt } from '#perf/check/profile.ts';
import type { Point } from './types.ts';

export interface Residual {
  point: Point;
  value: number;
  error: number;
}

const scale: Record<Point['error'], (expected: number) => number> = {
  percent: (expected) => expected / 100,
  kg: () => 1,
  kt: () => 1,
  gradient: () => 1,
};

/**
 * The profile block measured by a dataset group, by the prefix of its name; all others measure the in-flight
 * block.
 */
const blocks: readonly [RegExp, string][] = [
  [/^V(REF|LS)/, 'speeds'],
  [/^M(LW|TOW)/, 'weight'],
  [/^(dispatch|RLD|certified|required)/, 'dispatch'],
  [/^(climb|go-around)/, 'climb'],
  [/^(quick|reference brake)/, 'brakes'],
  [/^(non-normal|ratios)/, 'nonNormal'],
];
export const blockOf = (point: Point): string =>
  blocks.find(([start]) => start.test(point.group))?.[1] ?? 'inflight';

/** One unit of error in the fit: one percent, 300 kg, 1 kt, 0.1 % of gradient. */
const fitUnit: Record<Point['error'], number> = { percent: 1, kg: 300, kt: 1, gradient: 0.1 };

/** Computes every point of a dataset with a profile. Cases shared by several points are run once. */
export const evaluate = (profile: AircraftProfile, points: readonly Point[]): Residual[] => {
  const outputs = new Map<CalcCase, unknown>();
  return points.map((point) => {
    let value: number;
    if ('evaluate' in point) value = point.evaluate(profile);
    else {
      if (!outputs.has(point.input)) outputs.set(point.input, calculateLine(profile, point.input));
      value = valueAt(outputs.get(point.input), point.path) ?? Number.NaN;
    }
    return { point, value, error: (value - point.expected) / scale[point.error](point.expected) };
  });
};

/** Weighted residuals of the fit; a point that cannot be computed counts as a large error. */
export const fitResiduals = (profile: AircraftProfile, points: readonly Point[]): number[] =>
  evaluate(
    profile,
    points.filter((point) => point.weight > 0),
  ).map(({ point, error }) => (Number.isFinite(error) ? (point.weight * error) / fitUnit[point.error] : 100));

export interface GroupStatistics {
  group: string;
  count: number;
  rms: number;
  max: number;
  bias: number;
  error: Point['error'];
}

/** RMS, largest and mean error per group, in order of appearance. */
export const byGroup = (residuals: readonly Residual[]): GroupStatistics[] => {
  const groups = new Map<string, Residual[]>();
  for (const residual of residuals) {
    const list = groups.get(residual.point.group) ?? [];
    list.push(residual);
    groups.set(residual.point.group, list);
  }
  return [...groups].map(([group, list]) => {
    const errors = list.map((entry) => entry.error);
    return {
      group,
      count: list.length,
      rms: Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / errors.length),
      max: errors.reduce((worst, error) => (Math.abs(error) > Math.abs(worst) ? error : worst), 0),
      bias: errors.reduce((sum, error) => sum + error, 0) / errors.length,
      error: list[0]?.point.error ?? 'percent',
    };
  });
};
