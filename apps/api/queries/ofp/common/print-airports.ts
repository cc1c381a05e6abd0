/** The aerodromes of a briefing in words for paper. */
import type { z } from 'zod';
import type { Fact, PrintedList, PrintedNotam } from '#domain/prints/content.ts';
import { numberIn, shortTime, shownIn, windText } from '#domain/prints/units.ts';
import type { ReaderUnits } from '#domain/prints/units.ts';
import { runwayKey } from '#domain/weather/runway-wind.ts';
import type { briefingAirportSchema } from './briefing-airport.ts';

export type BriefingAirport = z.input<typeof briefingAirportSchema>;
type SurfaceReport = BriefingAirport['runwayReports'][number];

const maxText = 700;
/** More than two pages can have. */
const maxNotams = 120;
const maxReports = 4;

/** On one line, of bounded length. */
export const oneLine = (text: string): string => {
  const plain = text.replace(/\s+/g, ' ').trim();
  return plain.length > maxText ? `${plain.slice(0, maxText)}…` : plain;
};

/** What is after the label already. */
const withoutType = (text: string): string => oneLine(text).replace(/^(?:METAR|SPECI|TAF) /, '');

/** Of an ICAO NOTAM the text of item E: its other items are in the heading. */
const notamText = (raw: string): string => {
  const [, text] = /\sE\)\s*([^]*)$/.exec(raw) ?? [];
  return oneLine(text ?? raw);
};

const words = (name: string): string => name.toLowerCase().replaceAll('_', ' ');

const thirdText =
  (units: ReaderUnits) =>
  ({ deposits }: SurfaceReport['thirds'][number]): string =>
    deposits
      .map(({ contaminant, coverage, depth }) =>
        [
          ...(coverage === null ? [] : [`${coverage} %`]),
          ...(depth === null ? [] : [shownIn(depth, 'mm', units.depth)]),
          words(contaminant),
        ].join(' '),
      )
      .join(' + ') || '–';

const reportText = (report: SurfaceReport, units: ReaderUnits): string => {
  const { format, notam, runways, thirds, ageMinutes, isExpired } = report;
  const name = notam.startsWith(format) ? notam : `${format} ${notam}`;
  const age = isExpired ? `EXPIRED, ${ageMinutes} min old` : `${ageMinutes} min old`;
  const described = thirds.map(thirdText(units));
  const all = new Set(described).size === 1 ? described.slice(0, 1) : described;
  return `${runways[0]} ${thirds.map(({ rwycc }) => rwycc).join('/')} ${all.join(' | ')} (${name}, ${age})`;
};

/** Wind of the forecast, along and across the planned runway. */
const forecastWind = ({ forecast, runway }: BriefingAirport, units: ReaderUnits): string | null => {
  const { prevailing } = forecast;
  if (!prevailing || prevailing.windSpeed === null) return null;
  const { windDirection, windSpeed, gust, runways } = prevailing;
  const own = runway === null ? undefined : runways[runwayKey(runway) ?? ''];
  const kt = (value: number) => numberIn(value, 'kt', units.wind);
  const wind = windText(
    {
      direction: windDirection,
      speed: Number(kt(windSpeed)),
      gust: gust === null ? null : Number(kt(gust)),
    },
    units.wind,
  );
  if (!own || own.headwind === null || own.crosswindSpeed === null) return wind;
  const along = own.headwind < 0 ? `tailwind ${kt(-own.headwind)}` : `headwind ${kt(own.headwind)}`;
  return `${wind}, ${along}, crosswind ${own.crosswindDir ?? ''}${kt(own.crosswindSpeed)}`;
};

const linesOf = (airport: BriefingAirport, units: ReaderUnits): Fact[] => {
  const { weatherUsed, metar, taf, runway, runwayReports } = airport;
  const { source, category, date, reason } = weatherUsed;
  const wind = source === 'TAF' ? forecastWind(airport, units) : null;
  const own = runwayReports.filter(({ runways }) => runway !== null && runways.includes(runway));
  const reports = [...own, ...runwayReports.filter((report) => !own.includes(report))];
  const more = reports.length - maxReports;
  return [
    {
      name: 'Used',
      value:
        source === null
          ? reason
          : `${source} of ${date === null ? '?' : shortTime(date)}${category === null ? '' : `, ${category}`}: ${reason}`,
    },
    ...(wind === null ? [] : [{ name: 'Wind', value: wind }]),
    { name: 'METAR', value: metar ? withoutType(metar.text) : 'none' },
    { name: 'TAF', value: taf ? withoutType(taf.text) : 'none' },
    ...(reports.length === 0 ? [{ name: 'Runways', value: 'no official report' }] : []),
    ...reports.slice(0, maxReports).map((report) => ({ name: 'Runway', value: reportText(report, units) })),
    ...(more > 0 ? [{ name: '', value: `${more} further reports are left out` }] : []),
  ];
};

export const airportPart = (
  role: string,
  airport: BriefingAirport,
  units: ReaderUnits,
): { heading: string; lines: Fact[] } => ({
  heading: `${role} ${airport.icao}${airport.runway === null ? '' : ` ${airport.runway}`} · ${shortTime(airport.at)}`,
  lines: linesOf(airport, units),
});

const effects = {
  plannedRunway: 'planned runway',
  aerodrome: 'whole aerodrome',
  otherRunway: 'another runway',
  other: '',
} as const;
const order = Object.keys(effects) as (keyof typeof effects)[];

/** Of all aerodromes, those with an effect first; the same text once for each aerodrome. */
export const printedNotams = (airports: readonly BriefingAirport[]): PrintedList<PrintedNotam> => {
  const all = airports
    .flatMap(({ icao, notams }) => notams.map((notam) => ({ ...notam, icao })))
    .toSorted((a, b) => order.indexOf(a.concerns) - order.indexOf(b.concerns));
  const items = all.slice(0, maxNotams).map(({ icao, number, concerns, from, to, text }) => ({
    heading: `${icao} ${number} · ${shortTime(from)} to ${to === null ? 'permanent' : shortTime(to)}`,
    effect: effects[concerns],
    text: notamText(text),
  }));
  return { items, left: all.length - items.length };
};
