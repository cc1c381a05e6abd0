/** The situation at a runway when it is used, for imports, plans, briefings and their documents alike. */
import type { RunwayNames } from '../../airports/reported-runway.ts';
import type { OfficialReport, SlipperyWhenWet } from '../../notam/surface/official.ts';
import { runwayCondition } from '../../weather/runway-condition.ts';
import { dry } from '../../weather/condition-names.ts';
import type { KnownCondition, RunwayCondition } from '../../weather/condition-names.ts';
import type { Report } from '../../weather/report.ts';
import { surfaceOf, surfaceOfWords } from './condition.ts';
import { beatsOperator, operatorSurface, whenSlippery } from './runway-surface.ts';
import { aged, partSourceOf, saidBesides } from './source.ts';
import type { CompleteSources, PartSource } from './source.ts';
import { evidenceOfConditions, evidenceOfReport, weatherFrom, windsOf } from './weather.ts';
import type { PlannedConditions, SituationWeather, WorstWind } from './weather.ts';
import { weatherAt } from './weather-at.ts';
import type { AerodromeReports, Possible, WeatherAt } from './weather-at.ts';
import { worstWind } from './worst-wind.ts';

/** Data about a runway besides the weather. */
export interface RunwayOfUse {
  ident: string | null;
  /** Degrees true. */
  trueBearingDeg: number | null;
  /** The runway condition report in force at this time. */
  official: OfficialReport | null;
  slippery?: SlipperyWhenWet | null;
  /** The runways of its aerodrome. */
  known?: RunwayNames | null;
}

/** Performance section of a plan, which applies to the time of use. */
interface PlanSection {
  conditions: PlannedConditions & { surface: string | null };
  /** ISO 8601; null if the plan does not say. */
  generatedAt: string | null;
}

export interface SituationOfUse {
  weather: SituationWeather;
  /** Null if the runway is closed by snow. */
  surface: KnownCondition | null;
  sources: CompleteSources;
  /** Undefined if no wind is reported, forecast or planned. */
  wind: WorstWind | undefined;
  used: WeatherAt['used'];
}

interface Surfaced {
  surface: KnownCondition | null;
  source: PartSource;
}

const closed = { code: null, isOfRunway: true };

/** For an unnamed runway, the worst condition reported for any. */
const conditionOf = (report: Report, runway: string | null): RunwayCondition => {
  if (runway !== null) return runwayCondition(report, runway);
  const named = report.runwayStates.map((state) => runwayCondition(report, state.runway ?? ''));
  return [runwayCondition(report, ''), ...named].reduce((worst, one) =>
    (one.code ?? 0) < (worst.code ?? 0) ? one : worst,
  );
};

/** Empty if the report does not name the precipitation. */
const surfacesOf = (possible: readonly Possible[], runway: string | null): Surfaced[] =>
  possible.flatMap(({ report, source, at, name }) => {
    const condition = conditionOf(report, runway);
    if (condition.isAssumed) return [];
    const text = `${name}: ${condition.evidence ?? 'nothing that wets a runway'}`;
    return [{ surface: surfaceOf(condition), source: partSourceOf(source, at, text) }];
  });

const worstOf = (found: readonly Surfaced[], otherwise: Surfaced): Surfaced =>
  found.reduce<Surfaced | null>(
    (worst, one) => (!worst || (one.surface?.code ?? 0) < (worst.surface?.code ?? 0) ? one : worst),
    null,
  ) ?? otherwise;

/** Rain dries; frozen contaminants and standing water stay until a later report. */
const stays = ({ surface }: Surfaced): boolean => surface === null || surface.dispatch !== 'WET';

const isBeforeOperator = (
  { surface, source: { source, at } }: Surfaced,
  official: OfficialReport,
): boolean => {
  const isLater = source === 'forecast' || (at !== null && Date.parse(at) > Date.parse(official.observedAt));
  return beatsOperator(surface ?? closed, isLater, official);
};

/** The worst surface that may apply; assumed if nothing states it in known words. */
const surfaceAt = (
  { metar, possible }: WeatherAt,
  section: PlanSection | null,
  { ident: runway, official }: RunwayOfUse,
  at: string,
): Surfaced => {
  const words = section?.conditions.surface ?? null;
  const named = surfaceOfWords(words);
  const observed = metar && !possible.some(({ report }) => report === metar.report) ? [metar] : [];
  const all = [
    ...surfacesOf(possible, runway),
    ...surfacesOf(observed, runway).filter(stays),
    ...(named
      ? [{ surface: named, source: partSourceOf('plan', section?.generatedAt, `surface ${words}`) }]
      : []),
  ];
  // The runway condition report applies, unless later evidence is worse.
  const worse = official ? all.filter((one) => isBeforeOperator(one, official)) : all;
  if (official && worse.length === 0) {
    const { condition, source } = operatorSurface(official, metar);
    return { surface: surfaceOf(condition), source };
  }
  const worst = worstOf(worse, { surface: dry, source: partSourceOf('assumed', null, 'dry') });
  const unread = words !== null && !named ? `; "${words}" of the plan is not known` : '';
  const { source, at: since, text } = worst.source;
  // Dry is only an assumption if the plan states a surface in unknown words.
  const isAssumed = unread !== '' && worst.surface?.code === 6;
  const said = partSourceOf(isAssumed ? 'assumed' : source, since, `${text ?? ''}${unread}`);
  return { surface: worst.surface, source: aged(said, at) };
};

/**
 * `at`: time of use, ISO 8601. Observations within an hour count together with expected changes, later times use the
 * forecast. Temperature and QNH fall back to the performance section, then to the last METAR. For the surface, the
 * runway condition report is the best source.
 */
export const situationOfUse = (
  reports: AerodromeReports,
  section: PlanSection | null,
  runway: RunwayOfUse,
  use: 'arrival' | 'takeoff',
  at: string,
): SituationOfUse => {
  const { trueBearingDeg, slippery = null, known = null } = runway;
  const found = weatherAt(reports, at, known);
  const { metar, possible, isObserved, forecast, used } = found;
  const held = possible.map(evidenceOfReport);
  const planned = section ? [evidenceOfConditions(section.conditions, section.generatedAt)] : [];
  const observed = metar ? [evidenceOfReport(metar)] : [];
  const forecasted = forecast
    ? [
        evidenceOfReport({
          report: { ...forecast, main: forecast.prevailing },
          source: 'forecast',
          at: forecast.issuedAt,
          name: forecast.name,
        }),
      ]
    : [];
  const isHeld = isObserved || forecast !== null;
  const winds = isHeld ? windsOf(held[0]?.wind ? held : [...held, ...forecasted]) : [];
  const others = windsOf([...planned, ...held, ...observed]);
  const wind = worstWind(winds.length > 0 ? winds : others, trueBearingDeg, use);
  const { weather, sources } = weatherFrom(wind, [
    ...(isObserved ? observed : []),
    ...forecasted,
    ...planned,
    ...observed,
  ]);
  const said = surfaceAt(found, section, runway, at);
  const surface = said.surface && whenSlippery(said.surface, slippery);
  return {
    weather,
    surface,
    sources: {
      wind: aged(sources.wind, at),
      temperature: aged(sources.temperature, at),
      qnh: aged(sources.qnh, at),
      runwayCondition:
        slippery && surface !== said.surface ? saidBesides(said.source, slippery.evidence) : said.source,
    },
    wind,
    used,
  };
};
