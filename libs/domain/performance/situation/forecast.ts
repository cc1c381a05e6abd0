/** The forecast of a plan as a report of the time of the landing or takeoff. */
import type { Report } from '../../weather/report.ts';
import { tafAt, worstOf } from '../../weather/taf-at.ts';

/** At the time `at` (ISO), with the worst of what may apply then; null when the TAF does not cover it. Without `knownIssue` it is of the month of `at`. */
export const forecastAt = (
  text: string,
  at: string,
  knownIssue: string | null = null,
): { report: Report; issuedAt: string } | null => {
  const found = tafAt(text, at, knownIssue);
  return 'reason' in found ? null : { report: worstOf(found), issuedAt: found.issuedAt };
};
