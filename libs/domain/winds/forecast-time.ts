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
export const forecastTimeAt = ({ stepsHours: steps, cycleMs }: WindHeader, timeMs: number) => {
  const hours = (timeMs - cycleMs) / hourMs;
  const lower = Math.max(
    0,
    steps.findLastIndex((step) => step <= hours),
  );
  const from = steps[lower] ?? 0;
  const upper = hours > from && lower < steps.length - 1 ? lower + 1 : lower;
  const to = steps[upper] ?? from;
  const weight = upper === lower ? 0 : (hours - from) / (to - from);
  const isCovered = hours <= to + graceHours && (from === 0 || hours >= from - graceHours);
  return { forecastHour: weight >= 0.5 ? to : from, lower, upper, weight, isCovered };
};
