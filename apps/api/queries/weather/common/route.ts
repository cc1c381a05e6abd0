/** The route of a call, for every operation that shows one: that of a plan, or waypoints. */
import { plannedRoute } from '#domain/ofp/route.ts';
import type { NormalizedOfp } from '#domain/ofp/schema.ts';
import type { RouteAirport, RouteInput } from '#domain/weather/route-schema.ts';
import { routeOf } from '#domain/weather/route.ts';
import type { GivenPoint, Route } from '#domain/weather/route.ts';
import { etoMs } from '#domain/winds/eto.ts';
import { maxWaypoints } from '#domain/winds/wind-aloft.ts';
import { ofpRepo } from '#data/postgres/ofp/ofps.ts';
import type { OfpRow } from '#data/postgres/ofp/ofps.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import { icaosOf } from '../../airports/common/icaos.ts';
import type { Tools } from '../../../handler-context.ts';
import { declaredError } from '../../../errors.ts';
import type { ErrorTable } from '../../../errors.ts';
import { ofpErrors } from '../../ofp/common/errors.ts';

export const routeErrors = {
  ...ofpErrors,
  MISSING_FIELD: { status: 400, message: 'Send the route as ofpId or as waypoints.' },
  INVALID_FIELD: 400,
  INVALID_WAYPOINTS: { status: 400, message: 'Invalid waypoint: {field}.' },
  TOO_MANY_WAYPOINTS: { status: 400, message: `At most ${maxWaypoints} waypoints are allowed.` },
  NO_ROUTE: { status: 422, message: 'The plan has no navigation log with two positions.' },
} as const satisfies ErrorTable;

export interface RouteCall extends Pick<Tools, 'caches' | 'winds'> {
  db: ReadDb;
  userId: number;
  now: Date;
}

export interface AskedRoute {
  route: Route;
  /** Airports that the route names, with what they are to it. */
  named: { icao: string; role: RouteAirport['role'] }[];
}

const aerodromesOf = ({ origin, destination, alternates }: NormalizedOfp): AskedRoute['named'] =>
  [
    { icao: origin.icao, role: 'departure' as const },
    { icao: destination.icao, role: 'destination' as const },
    ...alternates.map(({ icao }) => ({ icao, role: 'alternate' as const })),
  ].flatMap(({ icao, role }) => (icao === null ? [] : [{ icao, role }]));

/** The first and last waypoint, where their names are codes of airports. */
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
  { db, userId, now }: RouteCall,
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

/** What waypoints leave out, with the defaults that were taken. */
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
