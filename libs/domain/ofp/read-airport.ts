import { readReport } from '../weather/report.ts';
import { timeFromGroup } from '../weather/times.ts';
import type { Cursor } from './cursor.ts';
import type { OfpAirport } from './schema-parts.ts';
import { isoSeconds, minuteMs } from '../time.ts';

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

/** When a report was made: as given, else by its time group, which has no month. */
export const metarTimeOf = (
  { metar, metarTime }: Pick<OfpAirport, 'metar' | 'metarTime'>,
  generatedAt: string | null,
): string | null => {
  if (metar === null) return null;
  if (metarTime || generatedAt === null) return metarTime ?? null;
  const { time } = readReport(metar, 'METAR');
  return time && timeFromGroup(time, new Date(generatedAt));
};

/** Adds the reports of the weather block that the airport lacks; `generatedAt` is the time of the plan, ISO 8601. */
export const withReports = <T extends OfpAirport>(
  airport: T,
  block: WeatherBlock,
  generatedAt: string | null,
): T => {
  const metar = airport.metar ?? block.metar;
  const time = metarTimeOf({ ...airport, metar }, generatedAt);
  const metarTime = time && isoSeconds(Date.parse(time));
  const ageMs = metarTime && generatedAt && Date.parse(generatedAt) - Date.parse(metarTime);
  const metarAgeMinutes = typeof ageMs === 'number' ? Math.max(0, Math.round(ageMs / minuteMs)) : null;
  return { ...airport, metar, metarTime, metarAgeMinutes, taf: airport.taf ?? block.taf };
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
