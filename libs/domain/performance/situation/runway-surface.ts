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
const isWorseThanReported = (later: Code | null, { code }: Pick<RunwayCondition, 'code'>): boolean =>
  later === null || (code !== null && later < code && (code >= 5 || later === 1));

const frozen = /SNOW|SLUSH|ICE|FROST|WINTER/;
const melting = /^(?:WET_SNOW|SLUSH)$/;

/** What has changed a surface with snow or ice since the operator observed it: rain, or a thaw; null: nothing that is known. */
export const changeSince = (
  { thirds, observedAt }: OfficialReport,
  { main, recentWeather, temperatureC }: Report,
  reportedAt: string,
): string | null => {
  const names = thirds.flatMap(({ deposits }) => deposits.map(({ contaminant }) => contaminant));
  const isFrozen =
    names.some((name) => frozen.test(name)) || (names.length === 0 && thirds.some(({ code }) => code <= 4));
  if (!isFrozen || Date.parse(reportedAt) <= Date.parse(observedAt)) return null;
  const rain = [...main.weather, ...recentWeather].find(
    ({ intensity, phenomena }) =>
      intensity !== 'VC' && phenomena.some((word) => word === 'RA' || word === 'DZ'),
  );
  if (rain) return `rain since (${rain.code})`;
  const melts = names.length === 0 || names.some((name) => frozen.test(name) && !melting.test(name));
  return melts && temperatureC !== null && temperatureC > 0 ? `thaw since (${temperatureC} degrees C)` : null;
};

/**
 * The report of the operator where it counts before the weather, whose code is null for a runway closed by snow: unless later weather is
 * worse. One that is over counts where the weather is better, since nobody has said that the surface is. What has
 * changed it since is said.
 */
export const operatorCounts = (
  weather: Code | null,
  isLater: boolean,
  official: OfficialReport,
  metar: { report: Report; at: string | null } | null,
): RunwaySurface | null => {
  const condition = conditionOfReport(official);
  const isBeaten = official.isExpired
    ? (weather ?? 0) <= (condition.code ?? 0)
    : isLater && isWorseThanReported(weather, condition);
  if (isBeaten) return null;
  const source = officialSource(official, condition);
  const change = metar?.at ? changeSince(official, metar.report, metar.at) : null;
  return { condition, source: change === null ? source : { ...source, text: `${source.text}; ${change}` } };
};

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
  const isLater = observedAt > official.observedAt;
  return operatorCounts(weather.condition.code, isLater, official, { report, at: observedAt }) ?? weather;
};
