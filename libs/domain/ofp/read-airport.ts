import { readReport } from '../weather/report.ts';
import { timeFromGroup } from '../weather/times.ts';
import type { Cursor } from './cursor.ts';
import { ranges } from './ranges.ts';
import type { OfpAirport, OfpAlternate } from './schema-parts.ts';
import { minuteMs } from '../time.ts';

const maxReport = 4_000;
const maxAtis = 4_000;
const maxAtisCount = 20;

/** Location indicators are in capitals; planners also have airfields without four letters. */
const identOf = (airport: Cursor, max: number, ...names: string[]): string | null =>
  airport.text(max, ...names)?.toUpperCase() ?? null;

const longitudeOf = (airport: Cursor): number | null =>
  airport.number(ranges.longitude, 'pos_long', 'pos_lon', 'longitude');

/**
 * Reports in the plan's weather block, for airport blocks without reports: planners omit those outside their window.
 */
interface WeatherBlock {
  metar: string | null;
  taf: string | null;
}

/** Names of weather blocks and of their airport entries. */
const weatherBlocks = ['weather', 'wx'];
const weatherNames = {
  origin: ['orig', 'origin', 'departure', 'dep'],
  destination: ['dest', 'destination', 'arrival', 'arr'],
  alternate: ['altn', 'alternate'],
  takeoff_altn: ['toaltn'],
  enroute_altn: ['eualtn'],
  suitable_airport: ['etops'],
};
type WeatherPlace = keyof typeof weatherNames;

/** The reports for each airport of a role. */
const blocksOf = (plan: Cursor, place: WeatherPlace): ((i: number) => WeatherBlock) => {
  const found = (report: 'metar' | 'taf'): string[] =>
    weatherBlocks
      .flatMap((block) =>
        weatherNames[place].map((name) => plan.at(block).texts(maxReport, `${name}_${report}`)),
      )
      .find((texts) => texts.length > 0) ?? [];
  const [metars, tafs] = [found('metar'), found('taf')];
  return (i) => ({ metar: metars[i] ?? null, taf: tafs[i] ?? null });
};

export const readWeatherBlock = (plan: Cursor, place: 'origin' | 'destination'): WeatherBlock =>
  blocksOf(plan, place)(0);

/** When a report was made, and its age when the plan was generated; time groups have no month. */
const timesOf = (
  metar: string | null,
  given: string | null,
  generatedAt: string | null,
): Required<Pick<OfpAirport, 'metarTime' | 'metarAgeMinutes'>> => {
  const group =
    given === null && metar !== null && generatedAt !== null ? readReport(metar, 'METAR').time : null;
  const grouped = group && generatedAt !== null ? timeFromGroup(group, new Date(generatedAt)) : null;
  const metarTime = metar === null ? null : (given ?? (grouped && `${grouped.slice(0, 19)}Z`));
  const ageMs =
    metarTime === null || generatedAt === null ? null : Date.parse(generatedAt) - Date.parse(metarTime);
  return { metarTime, metarAgeMinutes: ageMs === null ? null : Math.max(0, Math.round(ageMs / minuteMs)) };
};

/** `generatedAt`: of the plan, ISO 8601. */
export const readAirport = (airport: Cursor, block: WeatherBlock, generatedAt: string | null): OfpAirport => {
  const metar = airport.text(maxReport, 'metar', 'metar_raw') ?? block.metar;
  return {
    icao: identOf(airport, 10, 'icao_code', 'icaocode', 'icao', 'faa_code'),
    iata: identOf(airport, 10, 'iata_code', 'iata'),
    name: airport.text(100, 'name'),
    elevationFt: airport.number(ranges.altitudeFt, 'elevation'),
    latitude: airport.number(ranges.latitude, 'pos_lat', 'latitude'),
    longitude: longitudeOf(airport),
    runway: identOf(airport, 10, 'plan_rwy', 'runway')?.replace(/^RWY?\s*(?=\d)/i, '') ?? null,
    transitionAltitudeFt: airport.integer(ranges.altitudeFt, 'trans_alt'),
    transitionLevelFt: airport.integer(ranges.altitudeFt, 'trans_level'),
    metar,
    ...timesOf(metar, airport.time('metar_time'), generatedAt),
    taf: airport.text(maxReport, 'taf', 'taf_raw') ?? block.taf,
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
  };
};

const readAlternate = (airport: Cursor, block: WeatherBlock, generatedAt: string | null): OfpAlternate => ({
  ...readAirport(airport, block, generatedAt),
  distanceNm: airport.number(ranges.distanceNm, 'distance', 'air_distance'),
  burn: airport.number(ranges.weight, 'burn'),
  enrouteSeconds: airport.seconds(ranges.seconds, 'ete'),
  route: airport.text(2_000, 'route'),
  cruiseAltitudeFt: airport.integer(ranges.altitudeFt, 'cruise_altitude'),
});

const maxAirports = 10;

/** Airports with an ident; an entry without one is an empty element. */
const airportsOf = <T extends OfpAirport>(
  plan: Cursor,
  block: Cursor,
  place: WeatherPlace,
  read: (airport: Cursor, reports: WeatherBlock) => T,
): T[] => {
  const reports = blocksOf(plan, place);
  return block
    .each(place)
    .filter((airport) => !airport.isEmpty)
    .slice(0, maxAirports)
    .map((airport, i) => read(airport, reports(i)))
    .filter(({ icao }) => icao !== null);
};

/** The first is the primary alternate. */
export const readAlternates = (
  plan: Cursor,
  place: 'alternate' | 'takeoff_altn' | 'enroute_altn',
  generatedAt: string | null,
): OfpAlternate[] =>
  airportsOf(plan, plan, place, (airport, reports) => readAlternate(airport, reports, generatedAt));

/** Airports of the ETOPS segment, including fields that only they have. */
export const readSuitableAirports = <T extends OfpAirport>(
  plan: Cursor,
  read: (airport: Cursor, reports: WeatherBlock) => T,
): T[] => airportsOf(plan, plan.at('etops'), 'suitable_airport', read);
