/** Everything stored of some airports, in a number of statements that does not depend on how many they are. */
import type { KnownAirport } from '#domain/airports/known.ts';
import type { MetarRecord, TafRecord } from '#domain/weather/types.ts';
import { currentDatis } from '#data/postgres/weather/datis.ts';
import type { AirportDatis } from '#data/postgres/weather/datis.ts';
import type { StoredNotam } from '#data/postgres/notam/notam.ts';
import type { Caches } from '../../../services/caches.ts';

export interface Station {
  /** As asked for. */
  icao: string;
  /** All codes of the airport, the present one first. */
  icaos: readonly string[];
  known: KnownAirport | null;
  notams: readonly StoredNotam[];
  metar: MetarRecord | null;
  taf: TafRecord | null;
  datis: AirportDatis;
  /** Neither an airport nor a station with reports. */
  isUnknown: boolean;
}

export const latest = <T>(list: readonly T[], timeOf: (item: T) => string): T | null =>
  (list.length < 2 ? list : list.toSorted((a, b) => timeOf(b).localeCompare(timeOf(a))))[0] ?? null;

export const stationsOf = async (
  caches: Pick<Caches, 'icaoGroups' | 'airports' | 'notams' | 'metars' | 'tafs' | 'datis'>,
  asked: readonly string[],
  now: Date,
): Promise<Station[]> => {
  const groups = await caches.icaoGroups.get('all');
  const codes = asked.map((icao) => groups.get(icao) ?? [icao]);
  const all = codes.flat();
  const [airports, notams, metars, tafs, datis] = await Promise.all([
    caches.airports.getMany(codes.map(([present = '']) => present)),
    caches.notams.getMany(all),
    caches.metars.getMany(all),
    caches.tafs.getMany(all),
    caches.datis.getMany(all),
  ]);
  let first = 0;
  return asked.map((icao, i) => {
    const icaos = codes[i] ?? [icao];
    const [present = icao] = icaos;
    const own = <T>(lists: readonly (readonly T[])[]): readonly T[] =>
      icaos.length === 1 ? (lists[first] ?? []) : lists.slice(first, first + icaos.length).flat();
    const metar = latest(own(metars), ({ observedAt }) => observedAt);
    const taf = latest(own(tafs), ({ issuedAt }) => issuedAt);
    const stored = own(datis);
    // A NOTAM has an effect on the airports that it names.
    const about = own(notams).map((notam) =>
      icaos.length === 1 ? notam : { ...notam, airports: [...notam.airports, present] },
    );
    const known = airports[i] ?? null;
    first += icaos.length;
    return {
      icao,
      icaos,
      known,
      notams: about,
      metar,
      taf,
      datis: currentDatis(stored, now),
      isUnknown: !known && !metar && !taf && stored.length === 0,
    };
  });
};
