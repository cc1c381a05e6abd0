/** A briefing as a document of two pages shows it. */
import type { z } from 'zod';
import type { BriefingDocument, PrintedHazard, PrintedList } from '#domain/prints/content.ts';
import { numberIn, shortTime, shownIn } from '#domain/prints/units.ts';
import type { ReaderUnits } from '#domain/prints/units.ts';
import type { RoutePirep } from '#domain/weather/pirep.ts';
import { timeText } from '#domain/weather/route-answer.ts';
import type { RouteHazard, RoutePointAnswer } from '#domain/weather/route-schema.ts';
import { airportPart, oneLine, printedNotams } from './print-airports.ts';
import { landingPart, takeoffPart } from './print-performance.ts';
import type { briefingOutputSchema } from './briefing-schema.ts';

export type BriefingOutput = z.input<typeof briefingOutputSchema>;

/** Rows that fit below the picture of the profile. */
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
  // The last point is always there.
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

const factsOf = (
  { ofp, route }: Pick<BriefingOutput, 'ofp' | 'route'>,
  units: ReaderUnits,
): BriefingDocument['facts'] => {
  const {
    aircraftIcao,
    registration,
    estimatedOff,
    estimatedOn,
    cruiseAltitude,
    weights,
    units: planned,
  } = ofp;
  const from = planned === 'lbs' ? 'lb' : 'kg';
  const weight = (value: number | null) => value && shownIn(value, from, units.weight);
  const tow = weight(weights.tow);
  const ldw = weight(weights.ldw);
  return [
    { name: 'Aircraft', value: [aircraftIcao, registration].filter(Boolean).join(' ') },
    ...(estimatedOff === null ? [] : [{ name: 'Off', value: shortTime(estimatedOff) }]),
    ...(estimatedOn === null ? [] : [{ name: 'On', value: shortTime(estimatedOn) }]),
    ...(route ? [{ name: 'Distance', value: `${Math.round(route.distance)} NM` }] : []),
    ...(cruiseAltitude === null
      ? []
      : [{ name: 'Cruise', value: shownIn(cruiseAltitude, 'feet', units.altitude) }]),
    ...(tow ? [{ name: 'Takeoff weight', value: tow }] : []),
    ...(ldw ? [{ name: 'Landing weight', value: ldw }] : []),
  ];
};

/** `units`: of the reader's settings, in which the calculations are already. */
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
    facts: factsOf(answer, units),
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
    madeAt: timeText(now.getTime()),
  };
};
