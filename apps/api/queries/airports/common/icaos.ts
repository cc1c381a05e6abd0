import type { KnownAirport } from '#domain/airports/known.ts';
import type { StoredNotam } from '#data/postgres/notam/notam.ts';
import type { Caches } from '../../../services/caches.ts';

/** All codes of the airport with this one, the present one first; mostly this one alone. */
export const icaosOf = async (
  { icaoGroups }: Pick<Caches, 'icaoGroups'>,
  icao: string,
): Promise<readonly [present: string, ...former: string[]]> => {
  const [present = icao, ...former] = (await icaoGroups.get('all')).get(icao) ?? [];
  return [present, ...former];
};

/** What is stored under these codes. */
export const ofIcaos = async <T>(
  cache: { get: (icao: string) => Promise<readonly T[]> },
  icaos: readonly string[],
): Promise<readonly T[]> => {
  const [first = [], ...others] = await Promise.all(icaos.map((icao) => cache.get(icao)));
  return others.length === 0 ? first : [first, ...others].flat();
};

/** An airport with its NOTAM that are not cancelled, by its present or a former code. */
export const airportWithNotams = async (
  caches: Pick<Caches, 'icaoGroups' | 'airports' | 'notams'>,
  given: string,
): Promise<{
  icao: string;
  icaos: readonly string[];
  known: KnownAirport | null;
  notams: readonly StoredNotam[];
}> => {
  const icaos = await icaosOf(caches, given);
  const [icao] = icaos;
  const [known, stored] = await Promise.all([caches.airports.get(icao), ofIcaos(caches.notams, icaos)]);
  // A NOTAM has an effect on the airports that it names.
  const notams =
    icaos.length === 1 ? stored : stored.map((notam) => ({ ...notam, airports: [...notam.airports, icao] }));
  return { icao, icaos, known, notams };
};
