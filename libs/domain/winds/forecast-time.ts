import type { WindHeader } from './snapshot.ts';
import { hourMs } from '../time.ts';

/** A time's position among the steps of a snapshot. */
export interface ForecastTime {
  /** Nearest forecast hour, the later one if equally near. */
  forecastHour: number;
  /** Indexes of the enclosing steps, and the weight of the upper one, 0 to 1. */
  lower: number;
  upper: number;
  weight: number;
  /** False if the time is too far from the data. */
  isCovered: boolean;
}

/** A cycle is used for half a step beyond its last hour. */
const graceHours = 3;

/**
 * Interpolates linearly between the enclosing hours; `forecastHour` names the nearest one. Times before the cycle use
 * its first hour (only an analysis covers the past), times up to three hours after the last hour use the last.
 */
export const forecastTimeAt = (header: WindHeader, timeMs: number): ForecastTime => {
  const steps = header.stepsHours;
  const last = steps.length - 1;
  const first = steps[0] ?? 0;
  const final = steps[last] ?? first;
  const hours = (timeMs - header.cycleMs) / hourMs;
  if (hours <= first) return at(first, 0, 0, 0, first === 0 || hours >= first - graceHours);
  if (hours >= final) return at(final, last, last, 0, hours <= final + graceHours);
  let lower = 0;
  while ((steps[lower + 1] ?? final) <= hours) lower += 1;
  const from = steps[lower] ?? first;
  const to = steps[lower + 1] ?? final;
  const weight = (hours - from) / (to - from);
  return at(weight >= 0.5 ? to : from, lower, lower + 1, weight, true);
};

const at = (
  forecastHour: number,
  lower: number,
  upper: number,
  weight: number,
  isCovered: boolean,
): ForecastTime => ({ forecastHour, lower, upper, weight, isCovered });
