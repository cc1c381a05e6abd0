import { readReport } from '../weather/report.ts';
import { timeFromGroup } from '../weather/times.ts';
import type { Cursor } from './cursor.ts';
import type { OfpAirport } from './schema-parts.ts';
import { minuteMs } from '../time.ts';

const maxReport = 4_000;

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

/** Adds the reports of the weather block that the airport lacks; `generatedAt` is the time of the plan, ISO 8601. */
export const withReports = <T extends OfpAirport>(
  airport: T,
  block: WeatherBlock,
  generatedAt: string | null,
): T => {
  const metar = airport.metar ?? block.metar;
  const times = timesOf(metar, airport.metarTime ?? null, generatedAt);
  return { ...airport, metar, ...times, taf: airport.taf ?? block.taf };
};

const maxAirports = 10;

/** Airports with an ident; an entry without one is an empty element. The first alternate is the primary one. */
export const readAirports = <T extends OfpAirport>(
  plan: Cursor,
  place: Exclude<WeatherPlace, 'origin' | 'destination'>,
  read: (airport: Cursor) => T,
  generatedAt: string | null,
): T[] => {
  const reports = blocksOf(plan, place);
  const block = place === 'suitable_airport' ? plan.at('etops') : plan;
  return block
    .each(place)
    .filter((airport) => !airport.isEmpty)
    .slice(0, maxAirports)
    .map((airport, i) => withReports(read(airport), reports(i), generatedAt))
    .filter(({ icao }) => icao !== null);
};
