/** The condition of a runway for which there are a weather report and, perhaps, a report of its operator. */
import { conditionOfReport, officialFor } from '../../notam/surface/official.ts';
import type { OfficialReport, OfficialReports } from '../../notam/surface/official.ts';
import type { Code } from '../../weather/condition-names.ts';
import type { Report } from '../../weather/report.ts';
import { runwayCondition } from '../../weather/runway-condition.ts';
import type { RunwayCondition } from '../../weather/runway-condition.ts';
import { calculatedSurface, surfaceOf } from './condition.ts';
import { partSourceOf } from './source.ts';
import type { PartSource } from './source.ts';

export interface RunwaySurface {
  condition: RunwayCondition;
  source: PartSource;
}

const ofWeather = (report: Report, ident: string, observedAt: string): RunwaySurface => {
  const condition = runwayCondition(report, ident);
  if (condition.isAssumed) return { condition, source: partSourceOf('assumed', null, 'dry') };
  const surface = surfaceOf(condition);
  const isDepthAssumed =
    surface !== null &&
    (['landing', 'takeoff'] as const).some((use) => calculatedSurface(surface, use).isDepthAssumed);
  const evidence = condition.evidence ?? 'nothing that wets a runway';
  const text = `METAR: ${evidence}${isDepthAssumed ? ', depth not reported and assumed' : ''}`;
  return { condition, source: partSourceOf('reported', observedAt, text) };
};

/** The source of a condition that the operator of the airport reported. */
export const officialSource = (official: OfficialReport, { evidence }: RunwayCondition): PartSource => ({
  ...partSourceOf('operator', official.observedAt, evidence),
  ageMinutes: official.ageMinutes,
});

/**
 * Whether what is known of a later time counts before the report of the operator: it closes the runway by snow (null), or is worse
 * than dry or wet. Of a contaminated runway the operator knows more than the weather says, but for ice that came later.
 */
export const isWorseThanReported = (later: Code | null, { code }: Pick<RunwayCondition, 'code'>): boolean =>
  later === null || (code !== null && later < code && (code >= 5 || later === 1));

/** The report of the operator counts, unless what was observed later is worse. */
export const runwaySurface = (
  report: Report,
  ident: string,
  observedAt: string,
  reports: OfficialReports,
): RunwaySurface => {
  const weather = ofWeather(report, ident, observedAt);
  const official = officialFor(reports, ident);
  if (!official) return weather;
  const condition = conditionOfReport(official);
  return isWorseThanReported(weather.condition.code, condition) && observedAt > official.observedAt
    ? weather
    : { condition, source: officialSource(official, condition) };
};
