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

/** Reports of the plan's weather block, for an airport block that has none: planners leave out there what is older than their window. */
export interface WeatherBlock {
  metar: string | null;
  taf: string | null;
}

export const readWeatherBlock = (plan: Cursor, prefix: 'orig' | 'dest'): WeatherBlock => {
  const weather = plan.at('weather');
  return {
    metar: weather.text(maxReport, `${prefix}_metar`),
    taf: weather.text(maxReport, `${prefix}_taf`),
  };
};

const noWeather: WeatherBlock = { metar: null, taf: null };

export const readAirport = (airport: Cursor, block: WeatherBlock = noWeather): OfpAirport => ({
  icao: identOf(airport, 10, 'icao_code', 'icaocode', 'icao', 'faa_code'),
  iata: identOf(airport, 10, 'iata_code', 'iata'),
  name: airport.text(100, 'name'),
  elevationFt: airport.number(ranges.altitudeFt, 'elevation'),
  latitude: airport.number(ranges.latitude, 'pos_lat', 'latitude'),
  longitude: longitudeOf(airport),
  runway: identOf(airport, 10, 'plan_rwy', 'runway')?.replace(/^RWY?\s*(?=\d)/i, '') ?? null,
  transitionAltitudeFt: airport.integer(ranges.altitudeFt, 'trans_alt'),
  transitionLevelFt: airport.integer(ranges.altitudeFt, 'trans_level'),
  metar: airport.text(maxReport, 'metar') ?? block.metar,
  metarTime: airport.time('metar_time'),
  taf: airport.text(maxReport, 'taf') ?? block.taf,
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

const readAlternate = (airport: Cursor, block: WeatherBlock): OfpAlternate => ({
  ...readAirport(airport, block),
  distanceNm: airport.number(ranges.distanceNm, 'distance', 'air_distance'),
  burn: airport.number(ranges.weight, 'burn'),
  enrouteSeconds: airport.seconds(ranges.seconds, 'ete'),
  route: airport.text(2_000, 'route'),
  cruiseAltitudeFt: airport.integer(ranges.altitudeFt, 'cruise_altitude'),
});

const maxAlternates = 10;

/** The first is the primary one. An entry without an ident is an empty element. */
export const readAlternates = (plan: Cursor): OfpAlternate[] => {
  const weather = plan.at('weather');
  const [metars, tafs] = [weather.texts(maxReport, 'altn_metar'), weather.texts(maxReport, 'altn_taf')];
  return plan
    .each('alternate')
    .filter((airport) => !airport.isEmpty)
    .slice(0, maxAlternates)
    .map((airport, i) => readAlternate(airport, { metar: metars[i] ?? null, taf: tafs[i] ?? null }))
    .filter(({ icao }) => icao !== null);
};
