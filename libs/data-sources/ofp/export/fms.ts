/**
 * X-Plane FMS, version 1100 ("Flightplan files, v11 FMS file format"): header, departure, destination, then the points
 * outside procedures with type, airway, altitude in feet, latitude and longitude.
 */
import type { Aerodrome, Flight, Waypoint } from '#domain/ofp/flight.ts';

const types = { AIRPORT: 1, NDB: 2, VOR: 3, FIX: 11, POSITION: 28 } as const;
/** The header requires a cycle. */
const unknownCycle = '0000';

const signed = (degrees: number, digits: number): string =>
  `${degrees < 0 ? '-' : '+'}${Math.abs(degrees)
    .toFixed(3)
    .padStart(digits + 4, '0')}`;

/** `+48.500_-030.000`: the simulator's name for a position. */
const nameOf = ({ ident, latitude, longitude }: Waypoint): string =>
  ident ?? `${signed(latitude, 2)}_${signed(longitude, 3)}`;

const lineOf = (
  type: keyof typeof types,
  ident: string,
  via: string,
  altitudeFt: number,
  { latitude, longitude }: Aerodrome | Waypoint,
): string =>
  [types[type], ident, via, altitudeFt.toFixed(6), latitude.toFixed(6), longitude.toFixed(6)].join(' ');

const named = (keyword: string, value: string | null): string[] =>
  value === null ? [] : [`${keyword} ${value}`];

/** A procedure is valid only with its runway. */
const endOf = (
  [runwayKeyword, procedureKeyword, transitionKeyword]: readonly [string, string, string],
  { runway }: Aerodrome,
  procedure: string | null,
  transition: string | null,
): string[] => {
  if (runway === null || !/^\d{1,2}[LCR]?$/.test(runway)) return [];
  const lines = [`${runwayKeyword} RW${runway.padStart(/\d$/.test(runway) ? 2 : 3, '0')}`];
  if (procedure === null) return lines;
  return [...lines, `${procedureKeyword} ${procedure}`, ...named(transitionKeyword, transition)];
};

/** Every line, including the last one, ends in LF. */
export const fmsOf = (flight: Flight): string => {
  const { origin, destination, cruiseFt, airac } = flight;
  const departure = endOf(['DEPRWY', 'SID', 'SIDTRANS'], origin, flight.sid, flight.sidTransition);
  const arrival = endOf(['DESRWY', 'STAR', 'STARTRANS'], destination, flight.star, flight.starTransition);
  // Where no procedure is named, its points have to describe it.
  const isNamed = [...departure, ...arrival].some((line) => /^(?:SID|STAR) /.test(line));
  const enroute = flight.waypoints.filter(({ isSidStar }) => !isSidStar || !isNamed);
  const points = enroute.map((point) =>
    lineOf(point.kind, nameOf(point), point.airway ?? 'DRCT', point.altitudeFt ?? cruiseFt, point),
  );
  const lines = [
    'I',
    '1100 Version',
    `CYCLE ${airac ?? unknownCycle}`,
    `ADEP ${origin.icao}`,
    ...departure,
    `ADES ${destination.icao}`,
    ...arrival,
    `NUMENR ${points.length + 2}`,
    lineOf('AIRPORT', origin.icao, 'ADEP', origin.elevationFt, origin),
    ...points,
    lineOf('AIRPORT', destination.icao, 'ADES', destination.elevationFt, destination),
  ];
  return `${lines.join('\n')}\n`;
};
