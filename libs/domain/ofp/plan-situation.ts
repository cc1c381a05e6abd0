/** Weather and runway condition of one end of a plan: its report, its performance section, its forecast, else what is assumed. */
import { conditionOfReport } from '../notam/surface/official.ts';
import type { OfficialReport } from '../notam/surface/official.ts';
import { surfaceOf, surfaceOfWords } from '../performance/situation/condition.ts';
import type { KnownSurface } from '../performance/situation/condition.ts';
import { forecastAt } from '../performance/situation/forecast.ts';
import { isWorseThanReported, officialSource } from '../performance/situation/runway-surface.ts';
import { aged, partSourceOf } from '../performance/situation/source.ts';
import type { CompleteSources, PartSource } from '../performance/situation/source.ts';
import { evidenceOfConditions, evidenceOfReport, weatherFrom } from '../performance/situation/weather.ts';
import type { SituationWeather } from '../performance/situation/weather.ts';
import { readReport } from '../weather/report.ts';
import type { Report } from '../weather/report.ts';
import { runwayCondition } from '../weather/runway-condition.ts';
import { runwayWind } from '../weather/runway-wind.ts';
import { timeFromGroup } from '../weather/times.ts';
import type { PlannedAirport, PlannedReport } from './planned.ts';
import type { WeatherOfUse } from './weather-of-use.ts';

/** ISO 8601; null where the plan does not say it. */
export interface PlanTimes {
  generatedAt: string | null;
  departureAt: string | null;
  arrivalAt: string | null;
}

/** What is known of a planned runway besides the plan. */
export interface PlannedEnd {
  /** Degrees true. */
  trueBearingDeg: number | null;
  /** The report of the operator of the airport that counts at the time of the landing or takeoff. */
  official: OfficialReport | null;
  /** What is stored now, which counts before what the plan says; absent where only the plan counts. */
  current?: WeatherOfUse;
}

export interface PlannedEnds {
  departure: PlannedEnd;
  arrival: PlannedEnd;
}

export interface PlanSituation {
  weather: SituationWeather;
  /** Null on a runway closed by snow. */
  surface: KnownSurface | null;
  sources: CompleteSources;
}

interface Surfaced {
  surface: KnownSurface | null;
  source: PartSource;
}

const dry: KnownSurface = { code: 6, isCodeReported: false, dispatch: 'DRY', depthMm: null };

/** When the report of a plan was made: as the plan says, else by its own group, which has no month. */
const reportedAt = (report: Report, metarTime: string | null, generatedAt: string | null): string | null =>
  metarTime ??
  (report.time && generatedAt !== null ? timeFromGroup(report.time, new Date(generatedAt)) : null);

/** Null for a text that is not a report, and for a report that says nothing. */
const reportOf = (metar: string | null): Report | null => {
  const report = metar === null ? null : readReport(metar, 'METAR');
  const isReport = report !== null && !report.nil && (report.time !== null || report.main.wind !== null);
  return isReport ? report : null;
};

/** Of a runway that is not named, the worst that the report says of any. */
const conditionOf = (report: Report, runway: string | null): ReturnType<typeof runwayCondition> => {
  if (runway !== null) return runwayCondition(report, runway);
  const named = report.runwayStates.map((state) => runwayCondition(report, state.runway ?? ''));
  return [runwayCondition(report, ''), ...named].reduce((worst, one) =>
    (one.code ?? 0) < (worst.code ?? 0) ? one : worst,
  );
};

/** Nothing of a report that does not say what falls. */
const surfacesOfReport = (
  report: Report,
  runway: string | null,
  source: PartSource['source'],
  at: string | null,
  name: string,
): Surfaced[] => {
  const condition = conditionOf(report, runway);
  if (condition.isAssumed) return [];
  const text = `${name}: ${condition.evidence ?? 'nothing that wets a runway'}`;
  return [{ surface: surfaceOf(condition), source: partSourceOf(source, at, text) }];
};

const worstOf = (found: readonly Surfaced[]): Surfaced =>
  found.reduce((worst, one) => ((one.surface?.code ?? 0) < (worst.surface?.code ?? 0) ? one : worst));

const vrefAddOf = (
  { windDirection, windSpeed, gust }: SituationWeather,
  trueBearingDeg: number,
): number | null => {
  const variable = windDirection === null;
  const wind = {
    kind: 'wind',
    directionDeg: windDirection,
    variable,
    speedKt: windSpeed,
    gustKt: gust,
    isGustMissing: false,
    above: false,
  } as const;
  return runwayWind(wind, trueBearingDeg).vrefAdd;
};

/** The report of the operator counts, unless what is known of a later time is worse. */
const withOfficial = (said: Surfaced, official: OfficialReport | null): Surfaced => {
  if (!official) return said;
  const condition = conditionOfReport(official);
  const { source, at } = said.source;
  const isLater = source === 'forecast' || (at !== null && Date.parse(at) > Date.parse(official.observedAt));
  if (isLater && isWorseThanReported(said.surface?.code ?? null, condition)) return said;
  return { surface: surfaceOf(condition), source: officialSource(official, condition) };
};

const surfacesNow = ({ used, report }: WeatherOfUse, runway: string | null): Surfaced[] =>
  report
    ? surfacesOfReport(
        report,
        runway,
        used.source === 'TAF' ? 'forecast' : 'reported',
        used.date,
        used.source === 'TAF' ? 'TAF at this time' : 'METAR',
      )
    : [];

/**
 * `at`: the time of takeoff or landing. Each part of the weather comes from the first of report, performance section and forecast that
 * has it; the runway condition is that of the operator's report, else the worst of what report and performance section say, else that of the forecast.
 */
export const planSituation = (
  airport: PlannedAirport,
  planned: PlannedReport | null,
  { at, generatedAt }: { at: string | null; generatedAt: string | null },
  { trueBearingDeg, official, current }: PlannedEnd,
): PlanSituation => {
  const runway = airport.runway ?? planned?.conditions.runway ?? null;
  const metar = reportOf(airport.metar);
  const metarAt = metar && reportedAt(metar, airport.metarTime ?? null, generatedAt);
  const taf = at === null || !airport.taf ? null : forecastAt(airport.taf, at);
  const { weather, sources } = weatherFrom([
    ...(current?.evidence ?? []),
    ...(metar
      ? [evidenceOfReport(metar, { source: 'reported', at: metarAt, name: 'METAR of the plan' })]
      : []),
    ...(planned ? [evidenceOfConditions(planned.conditions, generatedAt)] : []),
    ...(taf
      ? [evidenceOfReport(taf.report, { source: 'forecast', at: taf.issuedAt, name: 'TAF of the plan' })]
      : []),
  ]);
  const words = planned?.conditions.surface ?? null;
  const named = surfaceOfWords(words);
  const now = current ? surfacesNow(current, runway) : [];
  const ofPlan = metar ? surfacesOfReport(metar, runway, 'reported', metarAt, 'METAR of the plan') : [];
  const said: Surfaced[] = [
    ...(now.length > 0 ? now : ofPlan),
    ...(named ? [{ surface: named, source: partSourceOf('plan', generatedAt, `surface ${words}`) }] : []),
  ];
  const forecast = taf
    ? surfacesOfReport(taf.report, runway, 'forecast', taf.issuedAt, 'TAF of the plan')
    : [];
  const unread = words !== null && !named ? `; "${words}" of the plan is not known` : '';
  const assumed = { surface: dry, source: partSourceOf('assumed', null, 'dry') };
  const known = said.length > 0 ? said : forecast;
  const worst = known.length > 0 ? worstOf(known) : assumed;
  // Dry is an assumption where the plan says something else that is not known.
  const isAssumed = worst === assumed || (unread !== '' && worst.surface?.code === 6);
  const { source, at: since, text } = worst.source;
  const saidByPlan = {
    surface: worst.surface,
    source: aged(partSourceOf(isAssumed ? 'assumed' : source, since, `${text ?? ''}${unread}`), at),
  };
  const condition = withOfficial(saidByPlan, official);
  const vrefAdd = trueBearingDeg === null ? null : vrefAddOf(weather, trueBearingDeg);
  return {
    weather: vrefAdd === null ? weather : { ...weather, vrefAdd },
    surface: condition.surface,
    sources: {
      wind: aged(sources.wind, at),
      temperature: aged(sources.temperature, at),
      qnh: aged(sources.qnh, at),
      runwayCondition: condition.source,
    },
  };
};
