/** SimBrief's fetch API: every pilot has a plan a few minutes old, and a new one each hour. */
import type { RawAirport } from '#domain/airports/build.ts';
import { metarText, reportTime, weatherAt } from '../weather.ts';
import { planJsonOf } from './formats.ts';
import type { PlanTree } from './formats.ts';
import type { PlanAirport, PlanOptions } from './plan.ts';
import { syntheticPlan } from './plan.ts';
import { hourMs } from '#domain/time.ts';

/** Pilots without a plan, by id or alias. */
const unknownPilots = ['9999999', 'unknown'];
const withoutPlan = ['9999998', 'empty'];

type Flight = Pick<
  PlanOptions,
  'aircraft' | 'units' | 'loads' | 'cruiseFt' | 'costIndex' | 'fixes' | 'isEtops'
> & { from: string; to: string; alternates: readonly string[] };

const flights: readonly Flight[] = [
  {
    from: 'KJFK',
    to: 'KBOS',
    alternates: ['KBDL'],
    aircraft: { icao: 'B738', name: '737-800', engines: 'CFM56-7B26', registration: 'N0SYN' },
    units: 'lbs',
    loads: { oew: 91_300, payload: 26_500, maxZfw: 138_300, maxTow: 174_200, maxLdw: 146_300, burn: 6_400 },
    cruiseFt: 23_000,
    costIndex: '30',
    fixes: 8,
    isEtops: false,
  },
  {
    from: 'EGLL',
    to: 'KJFK',
    alternates: ['KBOS', 'KEWR'],
    aircraft: { icao: 'B772', name: '777-200', engines: 'GE90-76B', registration: 'G-SYNT' },
    units: 'kgs',
    loads: { oew: 138_000, payload: 32_000, maxZfw: 190_509, maxTow: 247_208, maxLdw: 201_849, burn: 44_000 },
    cruiseFt: 36_000,
    costIndex: '85',
    fixes: 24,
    isEtops: true,
  },
];

const airportOf = (stations: readonly RawAirport[], icao: string, now: Date): PlanAirport => {
  const station = stations.find((one) => one.icao === icao);
  if (!station) throw new Error(`The simulated world has no ${icao}.`);
  const [longest] = station.runways
    .filter(({ isClosed }) => !isClosed)
    .toSorted((a, b) => (b.lengthFt ?? 0) - (a.lengthFt ?? 0));
  return {
    icao,
    iata: station.iata ?? '',
    name: station.name,
    latitude: station.latitudeDeg ?? 0,
    longitude: station.longitudeDeg ?? 0,
    elevationFt: station.elevationFt ?? 0,
    runway: longest?.low.ident ?? '',
    metar: metarText(weatherAt(station, reportTime(icao, now))).replace(/^METAR /, ''),
  };
};

const planOf = (stations: readonly RawAirport[], userId: number, staticId: string, now: Date): PlanTree => {
  const hour = Math.floor(now.getTime() / hourMs);
  const flight = flights[userId % flights.length] as Flight;
  const { from, to, alternates, ...rest } = flight;
  return syntheticPlan({
    ...rest,
    userId,
    staticId,
    requestId: String(userId * 1_000_000 + (hour % 1_000_000)),
    generatedAt: new Date(hour * hourMs),
    out: new Date((hour + 2) * hourMs),
    origin: airportOf(stations, from, now),
    destination: airportOf(stations, to, now),
    alternates: alternates.map((icao) => airportOf(stations, icao, now)),
    hasTlr: true,
    notamCharacters: 2_000,
    pilot: 'SIMULATED PILOT',
  });
};

const answer = (tree: PlanTree) => ({
  bytes: JSON.stringify(planJsonOf(tree)),
  contentType: 'application/json',
});

const refusal = (status: string) => ({
  ...answer({ fetch: { userid: '', static_id: '', status: `Error: ${status}`, time: '' } }),
  status: 400,
});

/** A stable number for an alias. */
const userIdOf = (pilot: string): number =>
  /^\d+$/.test(pilot) ? Number(pilot) : Array.from(pilot).reduce((sum, char) => sum + char.charCodeAt(0), 0);

export const simulatedPlanner = (
  stations: readonly RawAirport[],
  now: Date,
  { query }: { query: URLSearchParams },
) => {
  const pilot = query.get('userid') ?? query.get('username') ?? '';
  if (pilot === '' || unknownPilots.includes(pilot)) return refusal('Unknown UserID');
  if (withoutPlan.includes(pilot)) return refusal('No flight plan on file for the specified user');
  return answer(planOf(stations, userIdOf(pilot), query.get('static_id') ?? '', now));
};
