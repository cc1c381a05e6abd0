/** What a TAF says of one time: the conditions that prevail then, and the worst of what it expects for a while. */
import type { Conditions, Report } from '../../weather/report.ts';
import { readReport } from '../../weather/report.ts';
import { forecastTime, timeFromGroup } from '../../weather/times.ts';

/** FM replaces everything, BECMG what it names. */
const changed = (before: Conditions, after: Conditions, isWhole: boolean): Conditions =>
  isWhole
    ? after
    : {
        ...before,
        wind: after.wind ?? before.wind,
        cavok: after.cavok,
        visibility: after.visibility ?? before.visibility,
        weather:
          after.weather.length > 0 || after.noSignificantWeather || after.cavok
            ? after.weather
            : before.weather,
      };

const speedOf = ({ wind }: Conditions): number => Math.max(wind?.gustKt ?? 0, wind?.speedKt ?? 0);

/**
 * The forecast as a report of the time `at` (ISO), without temperature and QNH; null when the TAF does not cover it. Temporary and
 * probable groups of that time add their weather, and their wind where it is stronger.
 */
export const forecastAt = (text: string, at: string): { report: Report; issuedAt: string } | null => {
  const report = readReport(text, 'TAF');
  const { time, validity } = report;
  const issuedAt = time && timeFromGroup(time, new Date(at));
  if (!issuedAt || !validity || report.nil || report.cancelled) return null;
  const isFrom = (when: Parameters<typeof forecastTime>[0]): boolean => forecastTime(when, issuedAt) <= at;
  if (!isFrom(validity.from) || isFrom(validity.to)) return null;
  let main = report.main;
  for (const { change, from, conditions } of report.changes)
    if (from && (change === 'FM' || change === 'BECMG') && isFrom(from))
      main = changed(main, conditions, change === 'FM');
  for (const { change, from, to, conditions } of report.changes) {
    const isTemporary = change === 'TEMPO' || change === 'PROB' || change === 'INTER';
    if (!isTemporary || !from || !to || !isFrom(from) || isFrom(to)) continue;
    main = {
      ...main,
      weather: [...main.weather, ...conditions.weather],
      wind: speedOf(conditions) > speedOf(main) ? conditions.wind : main.wind,
    };
  }
  return { report: { ...report, main, temperatureC: null, qnhHpa: null }, issuedAt };
};
