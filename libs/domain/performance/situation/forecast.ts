/** The forecast of a plan as a report of the time of the landing or takeoff. */
import type { Report } from '../../weather/report.ts';
import { tafAt, worstOf } from '../../weather/taf-at.ts';

/** At the time `at` (ISO), with the worst of what may apply then; null when the TAF does not cover it. */
export const forecastAt = (text: string, at: string): { report: Report; issuedAt: string } | null => {
  const found = tafAt(text, at);
  return 'reason' in found ? null : { report: worstOf(found), issuedAt: found.issuedAt };
};
