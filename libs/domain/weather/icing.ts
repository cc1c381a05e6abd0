import type { Report } from './report.ts';
import type { RunwayCondition } from './runway-condition.ts';

const ICING_BELOW_C = 10;
const LOW_VISIBILITY_M = 1_600;
const PRECIPITATION = new Set(['DZ', 'RA', 'SN', 'SG', 'IC', 'PL', 'GR', 'GS', 'UP']);

/**
 * Icing conditions on the ground: 10 C or less together with precipitation at the station, fog, mist or freezing
 * weather with at most 1,600 m, or a runway that is not dry. False without a temperature.
 */
export const icing = (report: Report, condition: RunwayCondition): boolean => {
  const { temperatureC, main } = report;
  if (temperatureC === null || temperatureC > ICING_BELOW_C) return false;
  if (condition.landingEnroute !== 'DRY') return true;
  const low = !main.cavok && (main.visibility?.metres ?? Infinity) <= LOW_VISIBILITY_M;
  return main.weather.some(({ intensity, descriptor, phenomena }) => {
    if (intensity === 'VC') return false;
    if (descriptor === 'SH' || phenomena.some((p) => PRECIPITATION.has(p))) return true;
    if (phenomena.includes('FG')) return !['MI', 'BC', 'PR'].includes(descriptor);
    return low && (descriptor === 'FZ' || phenomena.includes('BR'));
  });
};
