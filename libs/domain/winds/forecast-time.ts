import type { WindHeader } from './snapshot.ts';
import { hourMs } from '../time.ts';

/** A cycle is used for half a step beyond its last hour. */
const graceHours = 3;

/**
 * A time's position among the steps of a snapshot: `lower` and `upper` are the enclosing ones, `weight` is that of the
 * upper, 0 to 1.
 *
 * Interpolates linearly between the enclosing hours; `forecastHour` names the nearest one. Times before the cycle use
 * its first hour (only an analysis covers the past), times up to three hours after the last hour use the last.
 */
export const forecastTimeAt = (header: WindHeader, timeMs: number) => {
  const steps = header.stepsHours;
  const last = steps.length - 1;
  const first = steps[0] ?? 0;
  const final = steps[last] ?? first;
  const hours = (timeMs - header.cycleMs) / hourMs;
  if (hours <= first) {
    const isCovered = first === 0 || hours >= first - graceHours;
    return { forecastHour: first, lower: 0, upper: 0, weight: 0, isCovered };
  }
  if (hours >= final)
    return {
      forecastHour: final,
      lower: last,
      upper: last,
      weight: 0,
      isCovered: hours <= final + graceHours,
    };
  let lower = 0;
  while ((steps[lower + 1] ?? final) <= hours) lower += 1;
  const from = steps[lower] ?? first;
  const to = steps[lower + 1] ?? final;
  const weight = (hours - from) / (to - from);
  return { forecastHour: weight >= 0.5 ? to : from, lower, upper: lower + 1, weight, isCovered: true };
};
