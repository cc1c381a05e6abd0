/** The condition of a runway for which there are a weather report and, perhaps, a report of its operator. */
import { conditionOfReport, officialFor, slipperyWhenWet } from '../../notam/surface/official.ts';
import type { OfficialReport, OfficialReports, SlipperyWhenWet } from '../../notam/surface/official.ts';
import type { Report } from '../../weather/report.ts';
import { runwayCondition } from '../../weather/runway-condition.ts';
import type { RunwayCondition } from '../../weather/runway-condition.ts';
import { calculatedSurface, surfaceOf } from './condition.ts';
import { partSourceOf, saidBesides } from './source.ts';
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

/** What is known of a surface besides the report of its operator; the code is null where it is closed by snow. */
type Known = Pick<RunwayCondition, 'code' | 'isOfRunway'>;

/**
 * Whether what is known of a later time counts before the report of the operator: it closes the runway by snow, or is worse than dry or
 * wet. Of a contaminated runway the operator knows more than the weather says, but for ice and for states of the runway that came later.
 */
const isWorseThanReported = (later: Known, { code }: Pick<RunwayCondition, 'code'>): boolean =>
  later.code === null ||
  (code !== null && later.code < code && (code >= 5 || later.code === 1 || later.isOfRunway));

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

/** Whether something counts before the report of the operator. One that is over yields to what is no better, since nobody has said that the surface is. */
export const beatsOperator = (known: Known, isLater: boolean, official: OfficialReport): boolean => {
  const condition = conditionOfReport(official);
  return official.isExpired
    ? (known.code ?? 0) <= (condition.code ?? 0)
    : isLater && isWorseThanReported(known, condition);
};

/** As the operator reports it, with what has changed it since. */
export const operatorSurface = (
  official: OfficialReport,
  metar: { report: Report; at: string | null } | null,
): RunwaySurface => {
  const condition = conditionOfReport(official);
  const source = officialSource(official, condition);
  const change = metar?.at ? changeSince(official, metar.report, metar.at) : null;
  return { condition, source: change === null ? source : saidBesides(source, change) };
};

/** Of slippery wet, by the assessment matrix. */
export const slipperyCode = 3;

/** A surface that is only wet, or as good as that under a thin layer, on a runway that a NOTAM says to be slippery then. */
export const whenSlippery = <S extends Pick<RunwayCondition, 'code' | 'dispatch' | 'isCodeReported'>>(
  surface: S,
  slippery: SlipperyWhenWet | null,
): S => {
  const { code, dispatch } = surface;
  const isWater = dispatch === 'WET' || (dispatch === 'STANDING_WATER' && (code ?? 0) > slipperyCode);
  if (!slippery || code === null || !(isWater || code === 5)) return surface;
  const counted = { ...surface, code: Math.min(code, slipperyCode) };
  return isWater ? { ...counted, dispatch: 'SLIPPERY_WET' } : { ...counted, isCodeReported: true };
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
  const isLater = official !== null && observedAt > official.observedAt;
  const found =
    official && !beatsOperator(weather.condition, isLater, official)
      ? operatorSurface(official, { report, at: observedAt })
      : weather;
  const slippery = slipperyWhenWet(reports, ident);
  const condition = whenSlippery(found.condition, slippery);
  if (!slippery || condition === found.condition) return found;
  return { condition, source: saidBesides(found.source, slippery.evidence) };
};
