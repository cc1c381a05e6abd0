import { setTimeout as sleep } from 'node:timers/promises';
import { filesAt } from '#data/feeds/fetch.ts';
import { overpassQuery, parseOverpass } from '#data/feeds/osm/overpass.ts';
import { SourceError, shownAddress } from '#domain/source-error.ts';
import { oneLineOf } from '#platform/errors.ts';
import { airportOsmRepo, airportOsmWrites } from '#store/postgres/airports/osm.ts';
import { airportRepo } from '#store/postgres/airports/airports.ts';
import type { ServedAirport } from '#domain/airports/served.ts';
import type { Position } from '#domain/airports/types.ts';
import { computeExits } from '#domain/exits/compute.ts';
import type { ExitComputation } from '#domain/exits/compute.ts';
import type { AerowayMap } from '#domain/exits/types.ts';
import { addSeconds, daySeconds } from '#domain/time.ts';
import type { Reject } from '#domain/weather/types.ts';
import { defineFeed } from '../define-feed.ts';
import type { FeedScope } from '../define-feed.ts';
import { newestOf } from '../sources/reports.ts';

type MapOf = { icao: string; map: AerowayMap } | { icao: string; problem: string };
type ExitsOf = { icao: string; computed: ExitComputation } | { icao: string; problem: string };

/** Public servers ask for restraint; this rate covers all airports within a month. */
const airportsPerRun = { public: 2, own: 40 };
const pauseMs = 10_000;
const turnDays = 28;
/** Failures are retried after half a day. */
const retryDays = 0.5;
/** If the first requests fail, the server is to blame. */
const enoughFailures = 2;
/** Private servers may lag by months; taxiways rarely change within a year. */
const oldestMapMinutes = 366 * 1_440;

const pointsOf = (airport: ServedAirport): Position[] => {
  const ends = airport.ends.flatMap(({ latitudeDeg, longitudeDeg }) =>
    latitudeDeg === null || longitudeDeg === null ? [] : [{ latitudeDeg, longitudeDeg }],
  );
  return ends.length > 0 ? ends : [{ latitudeDeg: airport.latitudeDeg, longitudeDeg: airport.longitudeDeg }];
};

const ask = async (scope: FeedScope, airport: ServedAirport): Promise<AerowayMap> => {
  const { bytes } = await scope.content(scope.config.OVERPASS_URL, {
    method: 'POST',
    form: { data: overpassQuery(pointsOf(airport)) },
    timeoutMs: 90_000,
  });
  return parseOverpass(bytes.toString('utf8'));
};

/** True if the failure concerns this airport rather than the server: the query is too heavy, or the map is empty. */
const isOfAirport = (error: unknown): boolean =>
  error instanceof SourceError && (error.code === 'EMPTY' || error.code === 'INCOMPLETE');

/** Private servers need no pause. */
const isLocal = (address: string): boolean => /^https?:\/\/(?:127\.0\.0\.1|localhost)[:/]/.test(address);

/** The airports due in this run. Single failures are recorded; if all fail, the server is to blame. */
const readDue = async (scope: FeedScope): Promise<MapOf[] | null> => {
  const isOwn = isLocal(scope.config.OVERPASS_URL);
  const due = await airportOsmRepo(scope.db).due(
    addSeconds(scope.now, -turnDays * daySeconds),
    isOwn ? airportsPerRun.own : airportsPerRun.public,
  );
  if (due.length === 0) return null;
  const found: MapOf[] = [];
  const failures: unknown[] = [];
  for (const [i, icao] of due.entries()) {
    const airport = await airportRepo(scope.db).findByIcao(icao);
    if (!airport) continue;
    if (i > 0 && !isOwn) await sleep(pauseMs, undefined, { signal: scope.signal });
    try {
      found.push({ icao, map: await ask(scope, airport) });
    } catch (error) {
      if (scope.signal.aborted) throw error;
      // The server asks us to wait: what was fetched is stored, the rest follows later.
      if (error instanceof SourceError && error.retryAfterSeconds !== null) {
        if (found.length === 0) throw error;
        break;
      }
      if (!isOfAirport(error)) failures.push(error);
      found.push({ icao, problem: oneLineOf(error) });
      if (failures.length === found.length && failures.length >= enoughFailures) break;
    }
  }
  if (failures.length > 0 && failures.length === found.length) throw failures[0];
  return found;
};

/** Answers of the map server in files that begin with the code of their airport: `KJFK.json`. */
const readOverride = async (scope: FeedScope, address: string): Promise<MapOf[]> => {
  const found: MapOf[] = [];
  for (const file of await filesAt(address)) {
    const { bytes } = await scope.content(file.address);
    const map = parseOverpass(bytes.toString('utf8'));
    const icao = /^[A-Za-z][A-Za-z0-9]{3}(?![A-Za-z0-9])/.exec(file.name)?.[0].toUpperCase() ?? '';
    if (!(await airportRepo(scope.db).findByIcao(icao)))
      throw new SourceError(
        'CORRUPT',
        `The name of ${file.name} does not begin with the code of an airport.`,
      );
    found.push({ icao, map });
  }
  return found;
};

/** Runway exits and takeoff intersections from OpenStreetMap, for a few airports per run. */
export default defineFeed<MapOf[], ExitsOf[]>({
  name: 'osm',
  schedule: '4-59/10 * * * *',
  graceMinutes: 120,
  staleMinutes: 48 * 60,
  timeoutSeconds: 300,
  maxBytes: 40_000_000,
  // A rejected airport is recorded as such and retried later.
  guards: { compareWith: 'nothing', rejectedShare: null, ageMinutes: oldestMapMinutes, dataName: 'map' },
  sources: (scope) => [{ label: shownAddress(scope.config.OVERPASS_URL), read: () => readDue(scope) }],
  readOverride,
  parse: async (maps, { db }) => {
    const records: ExitsOf[] = [];
    const rejects: Reject[] = [];
    for (const each of maps) {
      if ('problem' in each) {
        records.push(each);
        rejects.push({ reason: each.problem, sample: each.icao });
        continue;
      }
      const airport = await airportRepo(db).findByIcao(each.icao);
      if (airport) records.push({ icao: each.icao, computed: computeExits(each.map, airport.ends) });
    }
    const times = maps.flatMap((each) => ('map' in each && each.map.timestamp ? [each.map.timestamp] : []));
    return { records, count: records.length - rejects.length, rejects, dataAt: newestOf(times) };
  },
  store: async (tx, records, { now }) => {
    const writes = airportOsmWrites(tx);
    const triedAt = addSeconds(now, -(turnDays - retryDays) * daySeconds);
    let written = 0;
    for (const each of records)
      written +=
        'problem' in each
          ? await writes.storeFailure(each.icao, triedAt)
          : await writes.storeExits(each.icao, each.computed, now);
    return written;
  },
});
