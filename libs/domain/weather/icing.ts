import type { Report } from './report.ts';
import type { RunwayCondition } from './runway-condition.ts';

const icingBelowC = 10;
const lowVisibilityM = 1_600;
const precipitation = new Set(['DZ', 'RA', 'SN', 'SG', 'IC', 'PL', 'GR', 'GS', 'UP']);

/**
 * Icing conditions on the ground: 10 C or less together with precipitation at the station, fog, mist or freezing
 * weather with at most 1,600 m, or a runway that is not dry. False without a temperature.
 */
export const icing = (report: Report, condition: RunwayCondition): boolean => {
  const { temperatureC, main } = report;
  if (temperatureC === null || temperatureC > icingBelowC) return false;
  if (condition.code !== 6) return true;
  const low = !main.cavok && (main.visibility?.metres ?? Infinity) <= lowVisibilityM;
  return main.weather.some(({ intensity, descriptor, phenomena }) => {
    if (intensity === 'VC') return false;
    if (descriptor === 'SH' || phenomena.some((p) => precipitation.has(p))) return true;
    if (phenomena.includes('FG')) return !['MI', 'BC', 'PR'].includes(descriptor);
    return low && (descriptor === 'FZ' || phenomena.includes('BR'));
  });
};
