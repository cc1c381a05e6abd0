import type { KnownAirport } from '#domain/airports/known.ts';
import { placedPireps } from '#domain/weather/pirep.ts';
import type { PlacedPireps } from '#domain/weather/pirep.ts';
import { placedSigmet } from '#domain/weather/sigmet-route.ts';
import type { PlacedSigmet } from '#domain/weather/sigmet-route.ts';
import { stationIndex } from '#domain/weather/stations.ts';
import type { StationIndex } from '#domain/weather/stations.ts';
import type { MetarRecord, ReportingStation, TafRecord } from '#domain/weather/types.ts';
import { createCache } from '#platform/cache.ts';
import type { Cache, CacheOptions } from '#platform/cache.ts';
import { airportRepo } from '#data/postgres/airports/airports.ts';
import type { AvailableAirport } from '#data/postgres/airports/airports.ts';
import { airportDatabaseRepo } from '#data/postgres/airports/status.ts';
import type { AirportDatabase } from '#data/postgres/airports/status.ts';
import { icaoGroupRepo } from '#data/postgres/airports/icao-groups.ts';
import { knownAirportRepo } from '#data/postgres/airports/known.ts';
import { closedRunwayRepo } from '#data/postgres/notam/closed-runways.ts';
import { notamRepo } from '#data/postgres/notam/notam.ts';
import type { StoredNotam } from '#data/postgres/notam/notam.ts';
import type { RevisedData } from '#data/postgres/revisions.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import { datisRepo } from '#data/postgres/weather/datis.ts';
import type { StoredDatis } from '#data/postgres/weather/datis.ts';
import { metarRepo } from '#data/postgres/weather/metars.ts';
import { pirepRepo } from '#data/postgres/weather/pireps.ts';
import { sigmetRepo } from '#data/postgres/weather/sigmets.ts';
import { stationRepo } from '#data/postgres/weather/stations.ts';
import { tafRepo } from '#data/postgres/weather/tafs.ts';

/** Caches of what feeds and operators write, one for each kind. Values are shared and must not be changed. */
export interface Caches {
  /** All codes of the same airport by each of them, where they changed. */
  readonly icaoGroups: Cache<'all', ReadonlyMap<string, readonly string[]>>;
  /** By ICAO code, as are those below. */
  readonly airports: Cache<string, KnownAirport | null>;
  /** Not cancelled, including past and future ones: what is in force depends on the time of the call. */
  readonly notams: Cache<string, readonly StoredNotam[]>;
  readonly metars: Cache<string, readonly MetarRecord[]>;
  /** Airports with a METAR of any age. */
  readonly reportingStations: Cache<'all', readonly ReportingStation[]>;
  readonly tafs: Cache<string, readonly TafRecord[]>;
  readonly datis: Cache<string, readonly StoredDatis[]>;
  /** All reports of pilots and aircraft that are kept. */
  readonly pireps: Cache<'all', PlacedPireps>;
  /** All SIGMETs and AIRMETs of the lists, also past and future ones. */
  readonly sigmets: Cache<'all', readonly PlacedSigmet[]>;
  /** Places of all airports in service. */
  readonly stations: Cache<'all', StationIndex>;
  /** Counts, latest changes and the map. */
  readonly airportDatabase: Cache<'all', AirportDatabase>;
  /** Directions that NOTAM close, by the minute since 1970: NOTAM begin and end at whole minutes. */
  readonly closedDirections: Cache<number, number>;
  /** All available airports. */
  readonly availableAirports: Cache<'all', readonly AvailableAirport[]>;
}

/** Loads the rows of one ICAO code, or of several in one statement; codes without rows have an empty list. */
const grouped = <Row>(
  rowsOf: (icaos: readonly string[]) => Promise<readonly Row[]>,
  icaosOf: (row: Row) => readonly string[],
) => ({
  load: (icao: string) => rowsOf([icao]),
  loadMany: async (icaos: readonly string[]): Promise<ReadonlyMap<string, readonly Row[]>> => {
    const own = new Map<string, Row[]>(icaos.map((icao) => [icao, []]));
    for (const row of await rowsOf(icaos)) for (const icao of icaosOf(row)) own.get(icao)?.push(row);
    return own;
  },
});

const megabyte = 1e6;

export const createCaches = (db: ReadDb, isTrusted: () => boolean): Caches => {
  const cacheOf = <Key extends string | number, Value>(
    options: Omit<CacheOptions<Key, Value>, 'isTrusted'>,
  ): Cache<Key, Value> => createCache({ ...options, isTrusted });
  return {
    icaoGroups: cacheOf({
      name: 'icaoGroups',
      load: () => icaoGroupRepo(db).all(),
      maxBytes: Infinity,
    }),
    airports: cacheOf({
      name: 'airports',
      load: (icao: string) => knownAirportRepo(db).byIcao(icao),
      loadMany: (icaos) => knownAirportRepo(db).byIcaos(icaos),
      maxBytes: 48 * megabyte,
    }),
    notams: cacheOf({
      name: 'notams',
      ...grouped(
        (icaos) => notamRepo(db).ofAirports(icaos),
        ({ airports }) => airports,
      ),
      maxBytes: 32 * megabyte,
    }),
    metars: cacheOf({
      name: 'metars',
      ...grouped(
        (icaos) => metarRepo(db).ofStations(icaos),
        ({ icao }) => [icao],
      ),
      maxBytes: 16 * megabyte,
    }),
    reportingStations: cacheOf({
      name: 'reportingStations',
      load: () => metarRepo(db).stations(),
      maxBytes: Infinity,
    }),
    tafs: cacheOf({
      name: 'tafs',
      ...grouped(
        (icaos) => tafRepo(db).ofStations(icaos),
        ({ icao }) => [icao],
      ),
      maxBytes: 16 * megabyte,
    }),
    datis: cacheOf({
      name: 'datis',
      ...grouped(
        (icaos) => datisRepo(db).stored(icaos),
        ({ icao }) => [icao],
      ),
      maxBytes: 8 * megabyte,
    }),
    sigmets: cacheOf({
      name: 'sigmets',
      load: async () => (await sigmetRepo(db).all()).map(placedSigmet),
      maxBytes: Infinity,
    }),
    pireps: cacheOf({
      name: 'pireps',
      load: async () => placedPireps(await pirepRepo(db).all()),
      maxBytes: Infinity,
    }),
    stations: cacheOf({
      name: 'stations',
      load: async () => stationIndex(await stationRepo(db).places()),
      maxBytes: Infinity,
    }),
    airportDatabase: cacheOf({
      name: 'airportDatabase',
      load: () => airportDatabaseRepo(db).current(),
      maxBytes: Infinity,
    }),
    closedDirections: cacheOf({
      name: 'closedDirections',
      load: (minute: number) => closedRunwayRepo(db).count(new Date(minute * 60_000)),
      maxBytes: Infinity,
    }),
    availableAirports: cacheOf({
      name: 'availableAirports',
      load: () => airportRepo(db).availableAirports(),
      maxBytes: Infinity,
    }),
  };
};

/** The caches that depend on what was written; NOTAM close runway ends of airports, too. */
export const cachesOf = (
  caches: Caches,
): Readonly<Record<RevisedData, readonly Pick<Cache<never, unknown>, 'clear'>[]>> => ({
  airport: [
    caches.airports,
    caches.airportDatabase,
    caches.availableAirports,
    caches.closedDirections,
    caches.icaoGroups,
    caches.reportingStations,
    caches.stations,
  ],
  datis: [caches.datis],
  metar: [caches.metars, caches.reportingStations],
  notam: [caches.notams, caches.closedDirections],
  pirep: [caches.pireps],
  sigmet: [caches.sigmets],
  taf: [caches.tafs],
  wind: [],
});
