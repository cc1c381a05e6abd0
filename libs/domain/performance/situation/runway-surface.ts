/** The condition of a runway from a weather report and, if there is one, a runway condition report. */
import { conditionOfReport, officialFor, slipperyWhenWet } from '../../notam/surface/official.ts';
import type { OfficialReport, OfficialReports, SlipperyWhenWet } from '../../notam/surface/official.ts';
import type { Report } from '../../weather/report.ts';
import { runwayCondition } from '../../weather/runway-condition.ts';
import type { RunwayCondition } from '../../weather/condition-names.ts';
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

/** The source of a condition from a runway condition report. */
export const officialSource = (official: OfficialReport, { evidence }: RunwayCondition): PartSource => ({
  ...partSourceOf('operator', official.observedAt, evidence),
  ageMinutes: official.ageMinutes,
});

/** What is known besides the runway condition report; the code is null if the runway is closed by snow. */
type Known = Pick<RunwayCondition, 'code' | 'isOfRunway'>;

/**
 * Whether later evidence takes precedence over the runway condition report: it closes the runway by snow, or is worse
 * than dry or wet. For a contaminated runway the report is better than the weather, except for ice and for later
 * reports about the runway itself.
 */
const isWorseThanReported = (later: Known, { code }: Pick<RunwayCondition, 'code'>): boolean =>
  later.code === null ||
  (code !== null && later.code < code && (code >= 5 || later.code === 1 || later.isOfRunway));

const frozen = /SNOW|SLUSH|ICE|FROST|WINTER/;
const melting = /^(?:WET_SNOW|SLUSH)$/;

/** What has changed a surface with snow or ice since it was observed: rain or thaw; null: nothing known. */
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
 * Whether evidence takes precedence over the runway condition report. An expired report yields to evidence that is no
 * better, since nobody has reported an improvement.
 */
export const beatsOperator = (known: Known, isLater: boolean, official: OfficialReport): boolean => {
  const condition = conditionOfReport(official);
  return official.isExpired
    ? (known.code ?? 0) <= (condition.code ?? 0)
    : isLater && isWorseThanReported(known, condition);
};

/** The surface from the runway condition report, with changes since then. */
export const operatorSurface = (
  official: OfficialReport,
  metar: { report: Report; at: string | null } | null,
): RunwaySurface => {
  const condition = conditionOfReport(official);
  const source = officialSource(official, condition);
  const change = metar?.at ? changeSince(official, metar.report, metar.at) : null;
  return { condition, source: change === null ? source : saidBesides(source, change) };
};

/** Code of slippery wet in the assessment matrix. */
export const slipperyCode = 3;

/** A wet surface, or a thin layer that counts as wet, on a runway reported by NOTAM as slippery when wet. */
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

/** The runway condition report applies, unless later observations are worse. */
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
