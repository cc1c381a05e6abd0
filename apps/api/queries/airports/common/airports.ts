import { z } from 'zod';
import type { KnownAirport } from '#domain/airports/served.ts';
import { nearestIcaos } from '#domain/airports/nearest-icaos.ts';
import { closeNames } from '#domain/fields/nearest.ts';
import type { NumberedNotam } from '#domain/notam/apply.ts';
import type { AvailableAirport } from '#store/postgres/airports/airports.ts';
import type { ErrorTable } from '../../../errors.ts';
import type { Caches } from '../../../services/caches.ts';

/** Errors for one airport or runway, with alternatives. */
export const airportErrors = {
  AIRPORT_NOT_FOUND: {
    status: 404,
    message: 'Unknown airport.',
    extra: z.strictObject({ nearest: z.array(z.string()) }),
  },
} as const satisfies ErrorTable;

export const runwayErrors = {
  RUNWAY_NOT_FOUND: {
    status: 404,
    message: 'Unknown runway at this airport.',
    extra: z.strictObject({ nearest: z.array(z.string()), offered: z.array(z.string()) }),
  },
} as const satisfies ErrorTable;

/** ICAO codes similar to an unknown one. */
export const unknownAirport = async (
  caches: Pick<Caches, 'availableAirports'>,
  icao: string,
): Promise<{ nearest: string[] }> => ({
  nearest: nearestIcaos(icao, await caches.availableAirports.get('all')),
});

/** Open runway ends of the airport, those similar to an unknown one, and a suggestion to send instead. */
export const unknownRunway = (
  known: KnownAirport | null,
  runway: string,
): { extra: { nearest: string[]; offered: string[] }; hint: string | null } => {
  const offered = (known?.airport.ends ?? []).filter(({ isClosed }) => !isClosed).map(({ ident }) => ident);
  const [first = '', second = ''] = runway.toUpperCase().split('/');
  if (second !== '' && offered.includes(first)) {
    const isStrip = offered.includes(second);
    const hint = isStrip
      ? `send one end, ${first} or ${second}`
      : 'an intersection is for a takeoff; send the runway alone';
    return { extra: { nearest: isStrip ? [first, second] : [first], offered }, hint };
  }
  // `4` and `04` stand for 04L or 04R.
  const number = Number.parseInt(runway, 10);
  const sameNumber = offered.filter((ident) => Number.parseInt(ident, 10) === number);
  return {
    extra: { nearest: [...new Set([...sameNumber, ...closeNames(runway, offered)])], offered },
    hint: null,
  };
};

/** All codes of the airport, the current one first; usually only one. */
export const icaosOf = async (
  { icaoGroups }: Pick<Caches, 'icaoGroups'>,
  icao: string,
): Promise<readonly [present: string, ...former: string[]]> => {
  const [present = icao, ...former] = (await icaoGroups.get('all')).get(icao) ?? [];
  return [present, ...former];
};

/** The rows stored under these codes. */
export const ofIcaos = async <T>(
  cache: { get: (icao: string) => Promise<readonly T[]> },
  icaos: readonly string[],
): Promise<readonly T[]> => {
  const [first = [], ...others] = await Promise.all(icaos.map((icao) => cache.get(icao)));
  return others.length === 0 ? first : [first, ...others].flat();
};

/** An airport and its NOTAM, without cancelled ones, by its current or a former code. */
export const airportWithNotams = async (
  caches: Pick<Caches, 'icaoGroups' | 'airports' | 'notams'>,
  given: string,
): Promise<{
  icao: string;
  icaos: readonly string[];
  known: KnownAirport | null;
  notams: readonly NumberedNotam[];
}> => {
  const icaos = await icaosOf(caches, given);
  const [icao] = icaos;
  const [known, stored] = await Promise.all([caches.airports.get(icao), ofIcaos(caches.notams, icaos)]);
  // A NOTAM affects the airports that it names.
  const notams =
    icaos.length === 1 ? stored : stored.map((notam) => ({ ...notam, airports: [...notam.airports, icao] }));
  return { icao, icaos, known, notams };
};

/** IATA city codes, with the airports by their own codes. */
const cities: ReadonlyMap<string, readonly string[]> = new Map([
  ['BJS', ['PEK', 'PKX']],
  ['BUE', ['EZE', 'AEP']],
  ['CHI', ['ORD', 'MDW']],
  ['JKT', ['CGK', 'HLP']],
  ['LON', ['LHR', 'LGW', 'STN', 'LTN', 'LCY', 'SEN']],
  ['MIL', ['MXP', 'LIN', 'BGY']],
  ['MOW', ['SVO', 'DME', 'VKO']],
  ['NYC', ['JFK', 'EWR', 'LGA']],
  ['OSA', ['KIX', 'ITM', 'UKB']],
  ['PAR', ['CDG', 'ORY', 'BVA']],
  ['REK', ['KEF', 'RKV']],
  ['RIO', ['GIG', 'SDU']],
  ['ROM', ['FCO', 'CIA']],
  ['SAO', ['GRU', 'CGH', 'VCP']],
  ['SEL', ['ICN', 'GMP']],
  ['STO', ['ARN', 'BMA', 'NYO', 'VST']],
  ['TCI', ['TFN', 'TFS']],
  ['TYO', ['HND', 'NRT']],
  ['WAS', ['IAD', 'DCA', 'BWI']],
  ['YMQ', ['YUL', 'YMX']],
  ['YTO', ['YYZ', 'YTZ']],
]);

export const isIataForm = (value: unknown): value is string =>
  typeof value === 'string' && /^\s*[A-Za-z]{3}\s*$/.test(value);

const withIata = (code: string, airports: readonly AvailableAirport[]): AvailableAirport[] =>
  (cities.get(code) ?? [code]).flatMap((iata) => airports.filter((airport) => airport.iata === iata));

/** The ICAO codes for an IATA code of an airport or city; null if unknown. */
export const iataHint = (sent: string, airports: readonly AvailableAirport[]): string | null => {
  const code = sent.trim().toUpperCase();
  const found = withIata(code, airports);
  const [only] = found;
  if (!only) return null;
  if (found.length === 1)
    return `${code} is the IATA code of ${only.icao} (${only.name}); send the ICAO code`;
  return `${code} is the IATA code of ${found.map(({ icao, iata }) => `${icao} (${iata})`).join(', ')}; send an ICAO code`;
};

/** For a point search without hits: airports with this ICAO or IATA code. */
export const airportsWithCode = (code: string, airports: readonly AvailableAirport[]): string | null => {
  const found = [...airports.filter(({ icao }) => icao === code), ...withIata(code, airports)];
  if (found.length === 0) return null;
  const named = found.map(({ icao, name }) => `${icao} (${name})`).join(', ');
  return `no navaid or waypoint is named ${code}, but ${found.length === 1 ? 'an airport has' : 'airports have'} this code: ${named}; ask the query airport`;
};
