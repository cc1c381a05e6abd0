/** Which reports apply when an aerodrome is used, and all states of the weather that are possible then. */
import { z } from 'zod';
import type { RunwayNames } from '../../airports/reported-runway.ts';
import { categoryOf } from '../../weather/category.ts';
import { ofAerodrome } from '../../weather/condition-of-state.ts';
import { flightCategorySchema } from '../../weather/forecast-answer.ts';
import { readReport } from '../../weather/report.ts';
import type { Report } from '../../weather/report.ts';
import { changed, tafAt } from '../../weather/taf-at.ts';
import type { ForecastGroup, TafAt, TafNotAt } from '../../weather/taf-at.ts';
import { timeFromGroup } from '../../weather/times.ts';
import type { WeatherEvidence } from './weather.ts';
import { minuteMs } from '../../time.ts';

/** `at`: time of observation or issue, ISO 8601; null: only the text states it. */
interface DatedReport {
  raw: string;
  at: string | null;
  /** Its name in `sources`: `METAR` or `TAF of the plan`. */
  name: string;
}

/** Of several reports the latest one is used. */
export interface AerodromeReports {
  metars: readonly DatedReport[];
  tafs: readonly DatedReport[];
}

/** Up to this time, observations are better than forecasts. */
const observedMinutes = 60;

export const weatherUsedSchema = z.strictObject({
  source: z.enum(['METAR', 'TAF']).nullable().describe('METAR or TAF; null: there is neither'),
  date: z.string().nullable().describe('observation or issue of the report, ISO 8601'),
  text: z.string().nullable().describe('the METAR, or the TAF groups valid at this time'),
  category: flightCategorySchema,
  reason: z.string().describe('why this report was chosen, for people'),
});
type WeatherUsed = z.output<typeof weatherUsedSchema>;

/** A possible state of the weather, in the form of a report. */
export interface Possible extends Pick<WeatherEvidence, 'source' | 'at' | 'name'> {
  report: Report;
}

export interface WeatherAt {
  used: WeatherUsed;
  metar: Possible | null;
  /** From the METAR or TAF that applies; empty if there is neither. */
  possible: Possible[];
  isObserved: boolean;
  forecast: (TafAt & { name: string }) | null;
}

const words = {
  BEFORE_VALIDITY: 'the TAF begins later',
  AFTER_VALIDITY: 'the TAF ends before',
  CANCELLED: 'the TAF is cancelled',
  NOT_READABLE: 'the TAF cannot be read for this time',
} as const satisfies Record<TafNotAt['reason'], string>;

const latestFirst = <T extends { at: string | null }>(list: readonly T[]): T[] =>
  list.toSorted((a, b) => Date.parse(b.at ?? '1970-01-01') - Date.parse(a.at ?? '1970-01-01'));

/** Texts that are no reports, and empty reports, are dropped. */
const metarOf = (metars: AerodromeReports['metars'], known: RunwayNames | null): Possible | null =>
  latestFirst(metars).flatMap(({ raw, at, name }) => {
    const report = ofAerodrome(readReport(raw, 'METAR'), known);
    const isReport = !report.nil && (report.time !== null || report.main.wind !== null);
    return isReport ? [{ report, source: 'reported' as const, at, name }] : [];
  })[0] ?? null;

/** The latest TAF that covers the time; an older one is not revived when it is cancelled. */
const forecastAt = (
  tafs: AerodromeReports['tafs'],
  at: string,
): (TafAt & { name: string }) | TafNotAt['reason'] | null => {
  const dated = tafs.map((taf) => {
    const { time } = readReport(taf.raw, 'TAF');
    return { ...taf, at: taf.at ?? (time && timeFromGroup(time, new Date(at))) };
  });
  let reason: TafNotAt['reason'] | null = null;
  for (const taf of latestFirst(dated)) {
    const found = tafAt(taf.raw, at, taf.at);
    if (!('reason' in found)) return { ...found, name: taf.name };
    reason ??= found.reason;
    if (found.reason === 'CANCELLED' || found.reason === 'NOT_READABLE') break;
  }
  return reason;
};

const nameOf = (name: string, { kind, probability }: ForecastGroup): string => {
  const chance = probability === null ? '' : `PROB${probability}`;
  const word = kind === 'PROB' || kind === 'MAIN' ? '' : kind;
  return [`${name},`, chance, word].filter(Boolean).join(' ');
};

/** A METAR with its trend, and what the TAF expects in addition or from a later time. */
const possibleObserved = (metar: Possible, forecast: WeatherAt['forecast']): Possible[] => {
  const { main, changes } = metar.report;
  const trends = changes
    .filter(({ change }) => change !== 'NOSIG')
    .map(({ change, conditions }) => ({
      ...metar,
      name: `${metar.name}, ${change}`,
      report: { ...metar.report, main: changed(main, conditions) },
    }));
  const since = (forecast?.groups ?? []).filter(
    ({ kind, from, to }) =>
      kind !== 'MAIN' && metar.at !== null && Date.parse(to ?? from) > Date.parse(metar.at),
  );
  const expected = [...since, ...(forecast?.changes ?? [])].map((group): Possible => ({
    source: 'forecast',
    at: forecast?.issuedAt ?? null,
    name: nameOf(forecast?.name ?? '', group),
    report: { ...metar.report, main: changed(main, group.named) },
  }));
  return [metar, ...trends, ...expected];
};

const possibleForecast = ({
  name,
  issuedAt,
  report,
  prevailing,
  changes,
  temperatureC,
}: TafAt & { name: string }): Possible[] => {
  const one = { source: 'forecast' as const, at: issuedAt };
  const air = { ...report, temperatureC };
  return [
    { ...one, name, report: { ...air, main: prevailing } },
    ...changes.map((group) => ({
      ...one,
      name: nameOf(name, group),
      report: { ...air, main: group.conditions },
    })),
  ];
};

/** `at`: time of use, ISO 8601; `known`: the runways of the aerodrome. */
export const weatherAt = (
  { metars, tafs }: AerodromeReports,
  at: string,
  known: RunwayNames | null = null,
): WeatherAt => {
  const metar = metarOf(metars, known);
  const found = forecastAt(tafs, at);
  const forecast = typeof found === 'object' ? found : null;
  const minutes = metar?.at ? Math.round((Date.parse(at) - Date.parse(metar.at)) / minuteMs) : null;
  const isObserved = metar !== null && minutes !== null && Math.abs(minutes) <= observedMinutes;
  const missing = typeof found === 'string' ? words[found] : null;
  if (forecast && !isObserved) {
    const used: WeatherUsed = {
      source: 'TAF',
      date: forecast.issuedAt,
      text: [...forecast.groups, ...forecast.changes].map(({ text }) => text).join(' '),
      category: categoryOf(forecast.prevailing),
      reason: 'the forecast for this time',
    };
    return { used, metar, possible: possibleForecast(forecast), isObserved, forecast };
  }
  if (!metar) {
    const reason = `no METAR, and ${missing ?? 'no TAF'}`;
    const used = { source: null, date: null, text: null, category: null, reason };
    return { used, metar, possible: [], isObserved, forecast };
  }
  const age =
    minutes === null
      ? 'observed at an unknown time'
      : `observed ${Math.abs(minutes)} min ${minutes < 0 ? 'after' : 'before'}`;
  const used: WeatherUsed = {
    source: 'METAR',
    date: metar.at,
    text: metar.report.text,
    category: categoryOf(metar.report.main),
    reason: forecast ? age : `${age}; ${missing ?? 'there is no TAF'}`,
  };
  return {
    used,
    metar,
    possible: possibleObserved(metar, isObserved ? forecast : null),
    isObserved,
    forecast,
  };
};
