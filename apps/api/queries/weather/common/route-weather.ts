/** What weatherRoute answers, and what others show of it. */
import { flightCategory } from '#domain/weather/category.ts';
import { hazardOf, routeNotKnown, routePoints, timeText } from '#domain/weather/route-answer.ts';
import type { RouteAirport } from '#domain/weather/route-schema.ts';
import type { Route } from '#domain/weather/route.ts';
import { pirepsNear } from '#domain/weather/pirep.ts';
import { sigmetsOnRoute } from '#domain/weather/sigmet-route.ts';
import { stationsNear } from '#domain/weather/stations.ts';
import { utcText } from '#domain/weather/times.ts';
import { feedRepo } from '#data/postgres/feeds/feeds.ts';
import type { Cache } from '#platform/cache.ts';
import type { AskedRoute, RouteCall } from './route.ts';
import { latest } from './stations.ts';

const corridorNm = 50;
/** What one answer shows of the stations on the way. */
const maxStations = 60;
/** An older report says nothing about the weather now. */
const reportMs = 2 * 3_600_000;

const byIcao = <T extends { icao: string }>(records: readonly T[]): ReadonlyMap<string, T> =>
  new Map(records.map((record) => [record.icao, record]));

/** The reports, or forecasts, of those of these stations that have one. */
const reportsOf = async <T extends { icao: string }>(
  cache: Cache<string, readonly T[]>,
  icaos: readonly string[],
): Promise<ReadonlyMap<string, T>> => byIcao((await cache.getMany(icaos)).flat());

const airportsOf = async ({ caches, now }: RouteCall, { route, named }: AskedRoute) => {
  const groups = await caches.icaoGroups.get('all');
  const codesOf = (icao: string): readonly string[] => groups.get(icao) ?? [icao];
  const ofCodes = <T>(found: ReadonlyMap<string, T>, icao: string): T[] =>
    codesOf(icao).flatMap((code) => found.get(code) ?? []);
  const near = stationsNear(await caches.stations.get('all'), route, corridorNm);
  const nearest = byIcao(near);
  const names = new Set(named.flatMap(({ icao }) => codesOf(icao)));
  const metars = await reportsOf(caches.metars, [
    ...new Set([...names, ...near.flatMap(({ icao }) => codesOf(icao))]),
  ]);
  const metarOf = (icao: string) => latest(ofCodes(metars, icao), ({ observedAt }) => observedAt);
  const reporting = near.filter(({ icao }) => {
    const observedAt = names.has(icao) ? undefined : metarOf(icao)?.observedAt;
    return observedAt !== undefined && now.getTime() - Date.parse(observedAt) <= reportMs;
  });
  const shown = [
    ...named,
    ...reporting.slice(0, maxStations).map(({ icao }) => ({ icao, role: 'station' as const })),
  ];
  const tafs = await reportsOf(
    caches.tafs,
    shown.flatMap(({ icao }) => codesOf(icao)),
  );
  const airports = shown.map(({ icao, role }): RouteAirport => {
    const [place] = ofCodes(nearest, icao);
    const metar = metarOf(icao);
    const taf = latest(ofCodes(tafs, icao), ({ issuedAt }) => issuedAt);
    return {
      icao,
      role,
      offRoute: place ? Number(place.offNm.toFixed(1)) : null,
      alongRoute: place ? Number(place.alongNm.toFixed(1)) : null,
      time: place ? timeText(place.timeMs) : null,
      category: metar ? flightCategory(metar.raw) : null,
      metar: metar ? { date: utcText(metar.observedAt), text: metar.raw } : null,
      taf: taf ? { date: utcText(taf.issuedAt), text: taf.raw } : null,
    };
  });
  return { airports, stationCount: reporting.length };
};

/** When a feed was last read. */
const readAt = async ({ db }: RouteCall, name: 'sigmet' | 'pirep'): Promise<string | null> => {
  const at = (await feedRepo(db).state(name))?.lastSuccessAt;
  return at ? timeText(at.getTime()) : null;
};

/** Winds and warnings of a route. */
export const skyOf = async (call: RouteCall, route: Route) => {
  const snapshot = call.winds.current();
  const [sigmets, hazardsAsOf, pireps, pirepsAsOf] = await Promise.all([
    call.caches.sigmets.get('all'),
    readAt(call, 'sigmet'),
    call.caches.pireps.get('all'),
    readAt(call, 'pirep'),
  ]);
  const end = route.points.at(-1);
  return {
    departureTime: timeText(route.points[0]?.timeMs ?? 0),
    arrivalTime: timeText(end?.timeMs ?? 0),
    distance: Number((end?.distanceNm ?? 0).toFixed(1)),
    source: snapshot?.header.source ?? null,
    points: routePoints(route, snapshot),
    hazards: sigmetsOnRoute(sigmets, route).map(hazardOf),
    hazardsAsOf,
    ...pirepsNear(pireps, route, call.now),
    pirepsAsOf,
    tropopause: null,
    notKnown: routeNotKnown(snapshot),
  };
};

/** The answer of weatherRoute. */
export const routeWeather = async (call: RouteCall, asked: AskedRoute) => ({
  ...(await skyOf(call, asked.route)),
  ...(await airportsOf(call, asked)),
});
