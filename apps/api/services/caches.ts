import type { KnownAirport } from '#domain/airports/served.ts';
import { placedSigmet } from '#domain/weather/sigmet-route.ts';
import { placeIndex } from '#domain/weather/stations.ts';
import { createBatch } from '#platform/batch.ts';
import { createCache } from '#platform/cache.ts';
import type { Cache } from '#platform/cache.ts';
import { airportRepo, icaoGroupRepo, availableAirportRepo } from '#store/postgres/airports/airports.ts';
import { airportChangeRepo } from '#store/postgres/airports/changes.ts';
import { mapFileRepo } from '#store/postgres/airports/map-file.ts';
import { closedRunwayRepo, notamRepo } from '#store/postgres/notam/notam.ts';
import type { RevisedData } from '#store/postgres/revisions.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import { datisRepo } from '#store/postgres/weather/datis.ts';
import { metarRepo, stationRepo, tafRepo } from '#store/postgres/weather/reports.ts';
import { pirepRepo, sigmetRepo } from '#store/postgres/weather/sigmets.ts';

const megabyte = 1e6;

/** Caches of data written by feeds and operators. Values are shared and must not be changed. */
export const createCaches = (db: ReadDb, isTrusted: () => boolean) => {
  const whole = <Value>(name: string, load: () => Promise<Value>): Cache<'all', Value> =>
    createCache({ name, load, maxBytes: Infinity, isTrusted });
  /** By ICAO code; several codes are loaded in one statement, and a code without rows has an empty list. */
  const byIcao = <Row>(
    name: string,
    maxBytes: number,
    rowsOf: (icaos: readonly string[]) => Promise<readonly Row[]>,
    icaosOf: (row: Row) => readonly string[],
  ): Cache<string, readonly Row[]> =>
    createCache({
      name,
      load: createBatch(async (icaos) => {
        const own = new Map<string, Row[]>(icaos.map((icao) => [icao, []]));
        for (const row of await rowsOf(icaos)) for (const icao of icaosOf(row)) own.get(icao)?.push(row);
        return icaos.map((icao) => own.get(icao) ?? []);
      }),
      maxBytes,
      isTrusted,
    });
  const ofStation = ({ icao }: { icao: string }) => [icao];
  return {
    /** For each code, all codes that the airport has had; only for airports whose code changed. */
    icaoGroups: whole('icaoGroups', () => icaoGroupRepo(db).all()),
    airports: createCache<string, KnownAirport | null>({
      name: 'airports',
      load: createBatch(async (icaos) => {
        const found = await airportRepo(db).known(icaos);
        return icaos.map((icao) => found.get(icao) ?? null);
      }),
      maxBytes: 48 * megabyte,
      isTrusted,
    }),
    /**
     * Includes past and future ones, but none that are cancelled: which are in force depends on the time of the call.
     */
    notams: byIcao('notams', 32 * megabyte, notamRepo(db).ofAirports, ({ airports }) => airports),
    metars: byIcao('metars', 16 * megabyte, metarRepo(db).ofStations, ofStation),
    /** Airports with a METAR of any age. */
    reportingStations: whole('reportingStations', () => metarRepo(db).stations()),
    tafs: byIcao('tafs', 16 * megabyte, tafRepo(db).ofStations, ofStation),
    datis: byIcao('datis', 8 * megabyte, datisRepo(db).stored, ofStation),
    /** All stored pilot and aircraft reports. */
    pireps: whole('pireps', async () => placeIndex(await pirepRepo(db).all())),
    /** All stored SIGMETs and AIRMETs, including past and future ones. */
    sigmets: whole('sigmets', async () => (await sigmetRepo(db).all()).map(placedSigmet)),
    /** Positions of all airports in service. */
    stations: whole('stations', async () => placeIndex(await stationRepo(db).places())),
    /** Counts, latest changes and the map. */
    airportDatabase: whole('airportDatabase', async () => {
      const [counts, changes, mapPath] = await Promise.all([
        airportRepo(db).statistics(),
        airportChangeRepo(db).latest(),
        mapFileRepo(db).currentPath(),
      ]);
      return { counts, changes, mapPath };
    }),
    /** Runway ends closed by NOTAM, by minutes since 1970: NOTAM begin and end on whole minutes. */
    closedRunwayEnds: createCache<number, number>({
      name: 'closedRunwayEnds',
      load: async (minute) =>
        [...(await closedRunwayRepo(db).byAirport(new Date(minute * 60_000))).values()].flat().length,
      maxBytes: Infinity,
      isTrusted,
    }),
    availableAirports: whole('availableAirports', () => availableAirportRepo(db).list()),
  };
};

export type Caches = ReturnType<typeof createCaches>;

/** The caches to drop after a write; NOTAM also close runway ends of airports. */
export const cachesOf = (
  caches: Caches,
): Readonly<Record<RevisedData, readonly Pick<Cache<never, unknown>, 'clear'>[]>> => ({
  airport: [
    caches.airports,
    caches.airportDatabase,
    caches.availableAirports,
    caches.closedRunwayEnds,
    caches.icaoGroups,
    caches.reportingStations,
    caches.stations,
  ],
  datis: [caches.datis],
  metar: [caches.metars, caches.reportingStations],
  notam: [caches.notams, caches.closedRunwayEnds],
  pirep: [caches.pireps],
  sigmet: [caches.sigmets],
  taf: [caches.tafs],
  wind: [],
});
