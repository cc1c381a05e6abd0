/** The weather of the first flight, and what to do without it. */
import { z } from 'zod';
import type { Client } from './client.ts';
import { expectThat } from './print.ts';
import type { Service } from './service.ts';

export const airport = 'KJFK';

interface RunwayWeather {
  windDir: number | null;
  windSpeed: number;
  headwind: number;
  qnh: number;
  temp: number;
  runwayConditionLandingDispatch: string;
  runwayConditionLandingEnroute: string;
}
const feedSchema = z.object({
  feed: z.string(),
  lastFailureReason: z.string().nullable(),
});
const statusSchema = z.object({ feeds: z.array(feedSchema) });

/** The METAR feed as `/status.json` reports it. */
const feedOf = async ({ url }: Service) => {
  const { feeds } = statusSchema.parse(await (await fetch(`${url}/status.json`)).json());
  return feeds.find(({ feed }) => feed === 'metar');
};

interface Metar {
  text: string;
  metar2SVC: Record<string, RunwayWeather>;
}

/** The feed's first run, on a possibly busy machine; a failing source ends the wait. */
const waitSeconds = 120;

/** The METAR, or null if the service has none: its first run starts with the service and may take a moment. */
export const metarOf = async (service: Service, call: Client['call']): Promise<Metar | null> => {
  const deadline = performance.now() + waitSeconds * 1_000;
  do {
    const { metar } = await call('weather', { icao: airport });
    if (typeof metar === 'object' && metar !== null) return metar as Metar;
    if (((await feedOf(service))?.lastFailureReason ?? null) !== null) return null;
    await new Promise((resolve) => setTimeout(resolve, 250));
  } while (performance.now() < deadline);
  return null;
};

/** The best runway for the wind; without a report any, in still air. */
export const landingOf = (weather: Metar | null) => {
  const [runway, entry] =
    Object.entries(weather?.metar2SVC ?? {}).sort((a, b) => b[1].headwind - a[1].headwind)[0] ?? [];
  expectThat(weather === null || entry !== undefined, 'the METAR has no runway block');
  if (runway === undefined || entry === undefined)
    return { runway: '04L', weather: {}, dispatch: {}, inflight: {} };
  return {
    runway: runway.toUpperCase(),
    weather: {
      weather: {
        windDirection: entry.windDir ?? 0,
        windSpeed: entry.windSpeed,
        headwind: entry.headwind,
        temperature: entry.temp,
        qnh: entry.qnh,
      },
    },
    dispatch: { runwayCondition: { state: entry.runwayConditionLandingDispatch } },
    inflight: { runwayCondition: { state: entry.runwayConditionLandingEnroute } },
  };
};

/** Why there is no METAR, and what to do. */
export const explainMissing = async (service: Service): Promise<void> => {
  const reason = (await feedOf(service))?.lastFailureReason ?? 'the METAR feed has not run yet';
  console.log(`    No METAR of ${airport}: ${reason.replace(/\.$/, '')}.`);
  console.log(
    '    Let the service reach its sources, or start it with SOURCES=simulated, then run the demo again.',
  );
  console.log('    The steps that need no weather follow, in still air on a dry runway.');
};

interface Entry {
  icao: string;
  error: { code: string } | null;
  flightCategory: string | null;
  runwaysInUse: { isGuess: boolean; arrival: string[] }[];
}

/** Some airports in one call: `KJFK VFR 04L, 04R (guess), KBOS …`. */
export const briefOf = async (call: Client['call'], icao: readonly string[]): Promise<string> => {
  const body = await call('weatherBatch', { icao, include: ['runwaysInUse'] });
  const airports = body['airports'] as Entry[];
  expectThat(airports.length === icao.length, `${airports.length} of ${icao.length} airports are answered`);
  expectThat(
    airports.every(({ error }) => error === null),
    `an airport is not known: ${JSON.stringify(airports.map(({ error }) => error))}`,
  );
  return airports
    .map(({ icao: code, flightCategory, runwaysInUse: [use] }) => {
      const runways = use ? ` ${use.arrival.join(' ')}${use.isGuess ? ' (guess)' : ''}` : '';
      return `${code} ${flightCategory ?? 'no report'}${runways}`;
    })
    .join(', ');
};

/** Runway condition reports of the airport: `FICON 11/075 04L 5/5/5`. */
export const surfacesOf = async (call: Client['call'], icao: string): Promise<string> => {
  const { runwayReports } = (await call('weather', { icao })) as {
    runwayReports: { format: string; notam: string; runways: string[]; thirds: { rwycc: number }[] }[];
  };
  const lines = runwayReports.map(
    ({ format, notam, runways: [runway], thirds }) =>
      `${format} ${notam} ${runway} ${thirds.map(({ rwycc }) => rwycc).join('/')}`,
  );
  return lines.length === 0 ? 'no official report of a runway' : lines.join(', ');
};
