/** A briefing as a two-page document. */
import type { z } from 'zod';
import type {
  BriefingDocument,
  Fact,
  PrintedHazard,
  PrintedList,
  PrintedNotam,
} from '#domain/prints/content.ts';
import { numberIn, shortTime, shownIn, windText } from '#domain/prints/units.ts';
import type { ReaderUnits } from '#domain/prints/units.ts';
import type { RoutePirep } from '#domain/weather/pirep.ts';
import type { RouteHazard, RoutePointAnswer } from '#domain/weather/route-schema.ts';
import { runwayKey } from '#domain/weather/runway-wind.ts';
import { factsOf, landingPart, takeoffPart } from './print-performance.ts';
import type { briefingAirportSchema, BriefingOutput } from './briefing.ts';
import { isoSeconds } from '#domain/time.ts';

/** Rows that fit below the vertical profile. */
const maxRows = 44;
const maxHazards = 20;
const maxPireps = 12;

const level = (flightLevel: number): string => `FL${String(flightLevel).padStart(3, '0')}`;
const limitText = (feet: number | null, none: string): string =>
  feet === null ? none : feet === 0 ? 'SFC' : level(Math.round(feet / 100));

const hazardPart = (hazard: RouteHazard): PrintedHazard => {
  const { qualifier, hazard: kind, fir, series, base, top, crosses, crossings, along, text } = hazard;
  const [first] = crosses ? crossings : along;
  const where = first
    ? `${crosses ? 'crossed' : 'not crossed, below or above'} ${first.entry.time.slice(11, 16)}Z to ${first.exit.time.slice(11, 16)}Z, ${Math.round(first.entry.distance)} to ${Math.round(first.exit.distance)} NM`
    : 'near';
  const name = [qualifier, kind, limitText(base, 'SFC'), 'to', limitText(top, 'no top given'), fir, series];
  return {
    heading: `${name.filter((part) => part !== null && part !== '').join(' ')}: ${where}`,
    crosses,
    text: oneLine(text),
  };
};

const hazardsPart = (hazards: readonly RouteHazard[]): PrintedList<PrintedHazard> => ({
  items: hazards.slice(0, maxHazards).map(hazardPart),
  left: Math.max(0, hazards.length - maxHazards),
});

const layerText = (
  name: string,
  { intensity, type, base, top }: RoutePirep['turbulence'][number],
): string => {
  const where = base === null && top === null ? null : `${limitText(base, 'SFC')}-${limitText(top, 'up')}`;
  return [name, intensity, type, where].filter((part) => part !== null).join(' ');
};

const pirepPart = (pirep: RoutePirep): { heading: string; text: string } => {
  const { altitude, aircraft, observedAt, offRoute, alongRoute, turbulence, icing, isUrgent, text } = pirep;
  const said = [
    ...turbulence.map((layer) => layerText('TURB', layer)),
    ...icing.map((layer) => layerText('ICE', layer)),
  ];
  const place = `${Math.round(alongRoute)} NM along, ${Math.round(offRoute)} NM off`;
  const head = [
    isUrgent ? 'URGENT' : null,
    altitude === null ? null : level(Math.round(altitude / 100)),
    aircraft,
  ];
  return {
    heading: `${[...head, ...said].filter((part) => part !== null).join(' ')} · ${observedAt.slice(11, 16)}Z, ${place}`,
    text: oneLine(text),
  };
};

const legsPart = (points: readonly RoutePointAnswer[], units: ReaderUnits): BriefingDocument['legs'] => {
  const step = Math.ceil(points.length / maxRows);
  // The last point is always included.
  const shown = points.filter((_, i) => i === points.length - 1 || (i % step === 0 && i < points.length - 1));
  const wind = ({ windDirection, windSpeed }: RoutePointAnswer['winds']['cruise']): string =>
    windDirection === null || windSpeed === null
      ? '–'
      : `${String(windDirection).padStart(3, '0')}/${numberIn(windSpeed, 'kt', units.wind)}`;
  return {
    head: ['Point', 'Time', 'FL', 'Track', '-4000', 'Wind', '+4000', 'Tail', 'Temp'],
    rows: shown.map(({ ident, eto, flightLevel, track, winds, tailwind, temperature }) => [
      ident ?? '',
      `${eto.slice(11, 16)}Z`,
      String(flightLevel).padStart(3, '0'),
      track === null ? '–' : String(track).padStart(3, '0'),
      wind(winds.minus4000),
      wind(winds.cruise),
      wind(winds.plus4000),
      tailwind === null ? '–' : numberIn(tailwind, 'kt', units.wind),
      temperature === null ? '–' : numberIn(temperature, 'celsius', units.temperature),
    ]),
    note: step > 1 ? `${shown.length} of ${points.length} points` : '',
  };
};

const planFacts = ({ ofp, route }: Pick<BriefingOutput, 'ofp' | 'route'>, units: ReaderUnits): Fact[] => {
  const { aircraftIcao, registration, estimatedOff, estimatedOn, cruiseAltitude, weights } = ofp;
  const from = ofp.units === 'lbs' ? 'lb' : 'kg';
  const weight = (value: number | null) => (value ? shownIn(value, from, units.weight) : null);
  return factsOf({
    Aircraft: [aircraftIcao, registration].filter(Boolean).join(' '),
    Off: estimatedOff === null ? null : shortTime(estimatedOff),
    On: estimatedOn === null ? null : shortTime(estimatedOn),
    Distance: route && `${Math.round(route.distance)} NM`,
    Cruise: cruiseAltitude === null ? null : shownIn(cruiseAltitude, 'feet', units.altitude),
    'Takeoff weight': weight(weights.tow),
    'Landing weight': weight(weights.ldw),
  });
};

/** `units`: from the reader's settings; calculations already use them. */
export const briefingDocument = (
  answer: Omit<BriefingOutput, 'files'>,
  units: ReaderUnits,
  now: Date,
): BriefingDocument => {
  const { ofp, departure, destination, alternates, route, takeoff, landing } = answer;
  const airports = [departure, destination, ...alternates].filter((airport) => airport !== null);
  const { performanceDefaults: defaults } = ofp;
  return {
    title: ofp.name,
    facts: planFacts(answer, units),
    airports: [
      ...(departure ? [airportPart('Departure', departure, units)] : []),
      ...(destination ? [airportPart('Destination', destination, units)] : []),
      ...alternates.map((airport) => airportPart('Alternate', airport, units)),
    ],
    performance: [
      takeoffPart(takeoff, defaults.takeoff, units),
      landingPart(landing, defaults.landing, units),
    ],
    notams: printedNotams(airports),
    hazards: hazardsPart(route?.hazards ?? []),
    pireps: {
      items: (route?.pireps ?? []).slice(0, maxPireps).map(pirepPart),
      left: Math.max(0, (route?.pirepCount ?? 0) - Math.min(maxPireps, route?.pireps.length ?? 0)),
    },
    legs: route && legsPart(route.points, units),
    notes: [
      `Made ${shortTime(now.toISOString())}`,
      `winds: ${route?.source ?? 'none are stored'}`,
      route?.hazardsAsOf ? `SIGMET as of ${shortTime(route.hazardsAsOf)}` : 'no list of SIGMET was read',
      `wind in ${units.wind}, temperature in ${units.temperature}`,
      'for flight simulation only',
    ],
    madeAt: isoSeconds(now.getTime()),
  };
};

// The aerodromes of a briefing in words, for print.

type BriefingAirport = z.input<typeof briefingAirportSchema>;
type SurfaceReport = BriefingAirport['runwayReports'][number];

const maxText = 700;
/** More than fit on two pages. */
const maxNotams = 120;
const maxReports = 4;

/** On one line, truncated. */
const oneLine = (text: string): string => {
  const plain = text.replace(/\s+/g, ' ').trim();
  return plain.length > maxText ? `${plain.slice(0, maxText)}…` : plain;
};

/** The label already names the type. */
const withoutType = (text: string): string => oneLine(text).replace(/^(?:METAR|SPECI|TAF) /, '');

/** Item E of an ICAO NOTAM: the heading has the other items. */
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

/** Components of the forecast wind on the planned runway. */
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
  const origin =
    source &&
    `${source} of ${date === null ? '?' : shortTime(date)}${category === null ? '' : `, ${category}`}: `;
  return [
    ...factsOf({
      Used: `${origin ?? ''}${reason}`,
      Wind: wind,
      METAR: metar ? withoutType(metar.text) : 'none',
      TAF: taf ? withoutType(taf.text) : 'none',
      Runways: reports.length === 0 ? 'no official report' : null,
    }),
    ...reports.slice(0, maxReports).map((report) => ({ name: 'Runway', value: reportText(report, units) })),
    ...(more > 0 ? [{ name: '', value: `${more} further reports are left out` }] : []),
  ];
};

const airportPart = (
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

/** NOTAM of all aerodromes, those with an effect first, each text once per aerodrome. */
const printedNotams = (airports: readonly BriefingAirport[]): PrintedList<PrintedNotam> => {
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
