/** Airport maps from OpenStreetMap, from a server when due, or from files. */
import { setTimeout as sleep } from 'node:timers/promises';
import { filesIn, isFolder } from '#data/feeds/fetch.ts';
import { overpassQuery, parseOverpass } from '#data/feeds/osm/overpass.ts';
import { SourceError, shownAddress } from '#domain/source-error.ts';
import { oneLineOf } from '#platform/one-line.ts';
import { airportOsmRepo } from '#store/postgres/airports/osm.ts';
import { airportRepo } from '#store/postgres/airports/airports.ts';
import type { ServedAirport } from '#domain/airports/served.ts';
import type { Position } from '#domain/airports/types.ts';
import { computeExits } from '#domain/exits/compute.ts';
import type { AerowayMap } from '#domain/exits/types.ts';
import { addSeconds } from '#domain/time.ts';
import type { FeedScope, FeedSource } from '../define-feed.ts';
import { contentOf } from './content.ts';

export type MapOf = { icao: string; map: AerowayMap } | { icao: string; problem: string };

/** Public servers ask for restraint; this rate covers all airports within a month. */
const airportsPerRun = { public: 2, own: 40 };
const pauseMs = 10_000;
export const daySeconds = 86_400;
export const turnDays = 28;
const candidates = 8;
/** If the first requests fail, the server is to blame. */
const enoughFailures = 2;

const pointsOf = (airport: ServedAirport): Position[] => {
  const ends = airport.ends.flatMap(({ latitudeDeg, longitudeDeg }) =>
    latitudeDeg === null || longitudeDeg === null ? [] : [{ latitudeDeg, longitudeDeg }],
  );
  return ends.length > 0 ? ends : [{ latitudeDeg: airport.latitudeDeg, longitudeDeg: airport.longitudeDeg }];
};

const ask = async (scope: FeedScope, airport: ServedAirport): Promise<AerowayMap> => {
  const fetched = await scope.fetch(scope.config.OVERPASS_URL, {
    conditional: false,
    method: 'POST',
    form: { data: overpassQuery(pointsOf(airport)) },
    timeoutMs: 90_000,
  });
  if (fetched.kind !== 'data')
    throw new SourceError('STATUS', 'The map server answered a question with "not modified".');
  return parseOverpass(fetched.bytes.toString('utf8'));
};

/** True if the failure concerns this airport rather than the server: the query is too heavy, or the map is empty. */
const isOfAirport = (error: unknown): boolean =>
  error instanceof SourceError && (error.code === 'EMPTY' || error.code === 'INCOMPLETE');

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
  for (const [i, { icao }] of due.entries()) {
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

/** Private servers need no pause. */
const isLocal = (address: string): boolean => /^https?:\/\/(?:127\.0\.0\.1|localhost)[:/]/.test(address);

/** The airport of a map: by file name, else the one whose runways match best. */
const airportOf = async (scope: FeedScope, name: string, map: AerowayMap): Promise<ServedAirport | null> => {
  const repo = airportRepo(scope.db);
  const code = /^([A-Za-z][A-Za-z0-9]{3})(?![A-Za-z0-9])/.exec(name)?.[1];
  const named = code === undefined ? null : await repo.findByIcao(code);
  if (named) return named;
  const near = await airportOsmRepo(scope.db).near([...map.nodes.values()], candidates);
  let best: { airport: ServedAirport; accepted: number } | null = null;
  for (const icao of near) {
    const airport = await repo.findByIcao(icao);
    if (!airport) continue;
    const accepted = computeExits(map, airport.ends).runways.filter((runway) => runway.accepted).length;
    if (accepted > (best?.accepted ?? 0)) best = { airport, accepted };
  }
  return best?.airport ?? null;
};

/** An answer of the map server, or a folder of them, one airport each. */
const readOverride = async (scope: FeedScope, address: string): Promise<MapOf[]> => {
  const files = (await isFolder(address))
    ? await filesIn(address)
    : [{ name: decodeURIComponent(address.split('/').at(-1) ?? ''), address }];
  const found: MapOf[] = [];
  for (const file of files) {
    const { bytes } = await contentOf(scope, file.address);
    const map = parseOverpass(bytes.toString('utf8'));
    const airport = await airportOf(scope, file.name, map);
    if (!airport) throw new SourceError('CORRUPT', `${file.name} shows no runway of a known airport.`);
    found.push({ icao: airport.icao, map });
  }
  if (found.length === 0)
    throw new SourceError('NOT_FOUND', `${shownAddress(address)} contains no map file.`);
  return found;
};

export const osmSource = (scope: FeedScope): FeedSource<MapOf[]> => {
  const { override } = scope;
  return override === undefined
    ? { label: shownAddress(scope.config.OVERPASS_URL), read: () => readDue(scope) }
    : { label: shownAddress(override), read: () => readOverride(scope, override) };
};
