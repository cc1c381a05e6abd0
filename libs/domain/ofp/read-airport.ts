import type { Cursor } from './cursor.ts';
import { ranges } from './ranges.ts';
import type { OfpAirport, OfpAlternate } from './schema.ts';

const maxReport = 4_000;
const maxAtis = 4_000;
const maxAtisCount = 20;

/** Location indicators are in capitals; a planner also knows fields without four letters. */
const identOf = (airport: Cursor, max: number, ...names: string[]): string | null =>
  airport.text(max, ...names)?.toUpperCase() ?? null;

const longitudeOf = (airport: Cursor): number | null =>
  airport.number(ranges.longitude, 'pos_long', 'pos_lon', 'longitude');

export const readAirport = (airport: Cursor): OfpAirport => ({
  icao: identOf(airport, 10, 'icao_code', 'icaocode', 'icao', 'faa_code'),
  iata: identOf(airport, 10, 'iata_code', 'iata'),
  name: airport.text(100, 'name'),
  elevationFt: airport.number(ranges.altitudeFt, 'elevation'),
  latitude: airport.number(ranges.latitude, 'pos_lat', 'latitude'),
  longitude: longitudeOf(airport),
  runway: identOf(airport, 10, 'plan_rwy', 'runway'),
  transitionAltitudeFt: airport.integer(ranges.altitudeFt, 'trans_alt'),
  transitionLevelFt: airport.integer(ranges.altitudeFt, 'trans_level'),
  metar: airport.text(maxReport, 'metar'),
  taf: airport.text(maxReport, 'taf'),
  atis: airport
    .each('atis')
    .slice(0, maxAtisCount)
    .map((atis) => ({
      network: atis.text(40, 'network'),
      letter: atis.text(10, 'letter'),
      type: atis.text(40, 'type'),
      message: atis.text(maxAtis, 'message'),
    })),
  notamCount: airport.each('notam').length,
});

const readAlternate = (airport: Cursor): OfpAlternate => ({
  ...readAirport(airport),
  distanceNm: airport.number(ranges.distanceNm, 'distance', 'air_distance'),
  burn: airport.number(ranges.weight, 'burn'),
  enrouteSeconds: airport.seconds(ranges.seconds, 'ete'),
  route: airport.text(2_000, 'route'),
  cruiseAltitudeFt: airport.integer(ranges.altitudeFt, 'cruise_altitude'),
});

const maxAlternates = 10;

/** The first is the primary one. An entry without an ident is an empty element. */
export const readAlternates = (plan: Cursor): OfpAlternate[] =>
  plan
    .each('alternate')
    .filter((airport) => !airport.isEmpty)
    .slice(0, maxAlternates)
    .map(readAlternate)
    .filter(({ icao }) => icao !== null);
