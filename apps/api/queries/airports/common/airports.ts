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

export const isIataForm = (value: unknown): value is string =>
  typeof value === 'string' && /^\s*[A-Za-z]{3}\s*$/.test(value);

/** The ICAO code for an IATA code; null if unknown. */
export const iataHint = (sent: string, airports: readonly AvailableAirport[]): string | null => {
  const code = sent.trim().toUpperCase();
  const found = airports.find(({ iata }) => iata === code);
  return found ? `${code} is the IATA code of ${found.icao} (${found.name}); send the ICAO code` : null;
};

/** For a point search without hits: the airport with this ICAO or IATA code. */
export const airportWithCode = (code: string, airports: readonly AvailableAirport[]): string | null => {
  const found = airports.find(({ icao, iata }) => icao === code || iata === code);
  return found
    ? `no navaid or waypoint is named ${code}, but an airport has this code: ${found.icao} (${found.name}); ask the query airport`
    : null;
};
