/** The route in a call, from a plan or waypoints, for every operation that shows one. */
import { plannedRoute } from '#domain/ofp/route.ts';
import type { NormalizedOfp } from '#domain/ofp/schema.ts';
import type { RouteAirport, RouteInput } from '#domain/weather/route-schema.ts';
import { routeOf } from '#domain/weather/route.ts';
import type { GivenPoint, Route } from '#domain/weather/route.ts';
import { etoMs } from '#domain/winds/eto.ts';
import { maxWaypoints } from '#domain/winds/wind-aloft.ts';
import { ofpRepo } from '#store/postgres/ofp/ofps.ts';
import type { OfpRow } from '#store/postgres/ofp/ofps.ts';
import { flightCategory } from '#domain/weather/category.ts';
import { hazardOf, routeNotKnown, routePoints } from '#domain/weather/route-answer.ts';
import { pirepsNear } from '#domain/weather/pirep.ts';
import { sigmetsOnRoute } from '#domain/weather/sigmet-route.ts';
import { placesNear } from '#domain/weather/stations.ts';
import { utcText } from '#domain/weather/times.ts';
import { feedRepo } from '#store/postgres/feeds/feeds.ts';
import type { Cache } from '#platform/cache.ts';
import type { ProfileScene } from '#domain/prints/content.ts';
import { routeProfile } from '#domain/weather/profile.ts';
import type { RouteProfile } from '#domain/weather/profile.ts';
import { icaosOf } from '../../airports/common/airports.ts';
import type { Needs } from '../../../handler-context.ts';
import { declaredError } from '../../../errors.ts';
import type { ErrorTable } from '../../../errors.ts';
import { ofpErrors } from '../../ofp/common/ofp.ts';
import { latest } from './weather.ts';
import { isoSeconds } from '#domain/time.ts';

export const routeErrors = {
  ...ofpErrors,
  MISSING_FIELD: { status: 400, message: 'Send the route as ofpId or as waypoints.' },
  INVALID_FIELD: 400,
  INVALID_WAYPOINTS: { status: 400, message: 'Invalid waypoint: {field}.' },
  TOO_MANY_WAYPOINTS: { status: 400, message: `At most ${maxWaypoints} waypoints are allowed.` },
  NO_ROUTE: { status: 422, message: 'The plan has no navigation log with two positions.' },
} as const satisfies ErrorTable;

export type RouteCall = Needs<'caches' | 'winds' | 'db' | 'caller' | 'now'>;

export interface AskedRoute {
  route: Route;
  /** Airports on the route, with their roles. */
  named: { icao: string; role: RouteAirport['role'] }[];
}

const aerodromesOf = ({ origin, destination, alternates }: NormalizedOfp): AskedRoute['named'] =>
  [
    { icao: origin.icao, role: 'departure' as const },
    { icao: destination.icao, role: 'destination' as const },
    ...alternates.map(({ icao }) => ({ icao, role: 'alternate' as const })),
  ].flatMap(({ icao, role }) => (icao === null ? [] : [{ icao, role }]));

/** First and last waypoint, if they are airports. */
const endsOf = async ({ caches }: RouteCall, points: readonly GivenPoint[]): Promise<AskedRoute['named']> => {
  const named: AskedRoute['named'] = [];
  for (const [point, role] of [
    [points[0], 'departure'],
    [points.at(-1), 'destination'],
  ] as const) {
    const icao = point?.ident?.toUpperCase() ?? '';
    if (!/^[A-Z][A-Z0-9]{3}$/.test(icao)) continue;
    const [present] = await icaosOf(caches, icao);
    if (await caches.airports.get(present)) named.push({ icao, role });
  }
  return named;
};

/** A plan that the caller may read. Throws OFP_NOT_FOUND. */
export const readPlan = async (
  { db, caller: { userId }, now }: Needs<'db' | 'caller' | 'now'>,
  ofpId: string,
): Promise<{ row: OfpRow; plan: NormalizedOfp }> => {
  const found = await ofpRepo(db).withRevisions(
    { ofpId, userId, now },
    { revision: null, isWhole: true, hasOriginal: false },
  );
  const text = found?.revisions.find(({ revision }) => revision === found.row.revision)?.plan ?? null;
  if (!found || text === null) throw declaredError(routeErrors, 'OFP_NOT_FOUND');
  return { row: found.row, plan: JSON.parse(text) as NormalizedOfp };
};

type Defaults = Pick<RouteInput, 'time' | 'flightLevel' | 'groundSpeed'>;

const defaultsOf = ({ time, flightLevel, groundSpeed }: Defaults, now: Date) => ({
  startMs: time === undefined || time === null ? null : etoMs(time),
  nowMs: now.getTime(),
  groundSpeedKt: groundSpeed,
  flightLevel,
});

/** Throws NO_ROUTE. */
export const routeOfPlan = (plan: NormalizedOfp, input: Defaults, now: Date): AskedRoute => {
  const given = plannedRoute(plan);
  if (given.length === 0) throw declaredError(routeErrors, 'NO_ROUTE');
  return { route: routeOf(given, defaultsOf(input, now)), named: aerodromesOf(plan) };
};

/** Defaults used for what waypoints do not specify. */
export const assumedOf = ({ ofpId, waypoints, flightLevel, groundSpeed }: RouteInput): string[] => {
  const given = ofpId ? [] : (waypoints ?? []);
  const [first, ...others] = given;
  return [
    ...(first && (first.flightLevel ?? null) === null
      ? [`flight level ${flightLevel} before the first that is given`]
      : []),
    ...(others.some(({ eto }) => (eto ?? null) === null)
      ? [`ground speed ${groundSpeed} kt to points without a time`]
      : []),
  ];
};

/** Throws the errors of `routeErrors`. */
export const askedRoute = async (call: RouteCall, input: RouteInput): Promise<AskedRoute> => {
  const { ofpId, waypoints } = input;
  if (ofpId) return routeOfPlan((await readPlan(call, ofpId)).plan, input, call.now);
  if (!waypoints) throw declaredError(routeErrors, 'MISSING_FIELD', { field: 'waypoints' });
  const given = waypoints.map(({ ident, latitude, longitude, flightLevel, eto }) => ({
    ident: ident ?? null,
    latitude,
    longitude,
    flightLevel: flightLevel ?? null,
    eto: eto ?? null,
  }));
  return { route: routeOf(given, defaultsOf(input, call.now)), named: await endsOf(call, given) };
};

// The answer of weatherRoute, also used elsewhere.

const corridorNm = 50;
/** Maximum stations in one answer. */
const maxStations = 60;
/** Older reports are not current weather. */
const reportMs = 2 * 3_600_000;

const byIcao = <T extends { icao: string }>(records: readonly T[]): ReadonlyMap<string, T> =>
  new Map(records.map((record) => [record.icao, record]));

/** Reports or forecasts of these stations; those without one are left out. */
const reportsOf = async <T extends { icao: string }>(
  cache: Cache<string, readonly T[]>,
  icaos: readonly string[],
): Promise<ReadonlyMap<string, T>> => byIcao((await cache.getMany(icaos)).flat());

const airportsOf = async ({ caches, now }: RouteCall, { route, named }: AskedRoute) => {
  const groups = await caches.icaoGroups.get('all');
  const codesOf = (icao: string): readonly string[] => groups.get(icao) ?? [icao];
  const ofCodes = <T>(found: ReadonlyMap<string, T>, icao: string): T[] =>
    codesOf(icao).flatMap((code) => found.get(code) ?? []);
  const near = placesNear(await caches.stations.get('all'), route, corridorNm);
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
      time: place ? isoSeconds(place.timeMs) : null,
      category: metar ? flightCategory(metar.raw) : null,
      metar: metar ? { date: utcText(metar.observedAt), text: metar.raw } : null,
      taf: taf ? { date: utcText(taf.issuedAt), text: taf.raw } : null,
    };
  });
  return { airports, stationCount: reporting.length };
};

/** When a feed was last read successfully. */
const readAt = async ({ db }: RouteCall, name: 'sigmet' | 'pirep'): Promise<string | null> => {
  const at = (await feedRepo(db).state(name))?.lastSuccessAt;
  return at ? isoSeconds(at.getTime()) : null;
};

/** Winds and warnings along a route. */
const skyOf = async (call: RouteCall, route: Route) => {
  const snapshot = call.winds.current();
  const [sigmets, hazardsAsOf, pireps, pirepsAsOf] = await Promise.all([
    call.caches.sigmets.get('all'),
    readAt(call, 'sigmet'),
    call.caches.pireps.get('all'),
    readAt(call, 'pirep'),
  ]);
  const end = route.points.at(-1);
  return {
    departureTime: isoSeconds(route.points[0]?.timeMs ?? 0),
    arrivalTime: isoSeconds(end?.timeMs ?? 0),
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

/** `2026-09-16 12:30Z`. */
const shortTime = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)}Z`;

/** The route's profile with current winds and warnings. */
export const profileSceneOf = async (
  { caches, winds }: Needs<'caches' | 'winds'>,
  route: Route,
): Promise<ProfileScene> => {
  const snapshot = winds.current();
  const found = sigmetsOnRoute(await caches.sigmets.get('all'), route);
  return profileScene(routeProfile(route, snapshot, found), snapshot?.header.source ?? null);
};

/** The profile with its title and the inputs it depends on. */
const profileScene = (profile: RouteProfile, source: string | null): ProfileScene => {
  const [first, last] = [profile.track[0], profile.track.at(-1)];
  const crossed = profile.hazards.filter(({ crosses }) => crosses).length;
  const beside = profile.hazards.length - crossed;
  return {
    title: `${first?.ident ?? 'Route'} – ${last?.ident ?? 'end'}, vertical profile`,
    facts: [
      {
        name: 'Flight',
        value: `${shortTime(first?.time ?? '')} to ${shortTime(last?.time ?? '')}, ${Math.round(profile.distanceNm)} NM`,
      },
      { name: 'Winds', value: source ?? 'none are stored' },
      { name: 'SIGMET', value: `${crossed} crossed, ${beside} above or below` },
    ],
    profile,
    notes: [
      'Barbs: 50, 10 and 5 kt, north is up. Dashed: 0 °C. Areas: SIGMET and AIRMET, hatched where crossed. Terrain and tropopause are not shown.',
    ],
  };
};
