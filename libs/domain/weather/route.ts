/** A flight route: its points with positions, levels and times. */
import { between, distanceNm, placeOf, vectorOf } from '../geography/sphere.ts';
import type { Vector } from '../geography/sphere.ts';
import { legOf } from '../geography/area.ts';
import type { Leg } from '../geography/area.ts';
import { etoMs } from '../winds/eto.ts';
import { hourMs } from '../time.ts';

/** Known properties of a route point. */
export interface GivenPoint {
  ident: string | null;
  latitude: number;
  longitude: number;
  /** Null: the level of the previous point. */
  flightLevel: number | null;
  /** Null: computed from distance and ground speed. */
  eto: string | number | null;
}

interface RoutePoint {
  ident: string | null;
  latitude: number;
  longitude: number;
  flightLevel: number;
  timeMs: number;
  /** Distance along the route from its beginning, nautical miles. */
  distanceNm: number;
  place: Vector;
}

/** From one point to the next. */
export interface RouteLeg extends Leg {
  start: RoutePoint;
  end: RoutePoint;
}

export interface Route {
  points: readonly RoutePoint[];
  legs: readonly RouteLeg[];
}

interface RouteDefaults {
  /** Time at the first point; null: its own time, else `nowMs`. All other times shift with it. */
  startMs: number | null;
  nowMs: number;
  groundSpeedKt: number;
  flightLevel: number;
}

/** Distances are great-circle distances; no point has an earlier time than the previous one. */
export const routeOf = (given: readonly GivenPoint[], defaults: RouteDefaults): Route => {
  const timeOf = ({ eto }: GivenPoint): number | null => (eto === null ? null : etoMs(eto));
  const [first] = given;
  const own = first ? timeOf(first) : null;
  const beginMs = defaults.startMs ?? own ?? defaults.nowMs;
  const shiftMs = own === null ? 0 : beginMs - own;
  const points: RoutePoint[] = [];
  for (const point of given) {
    const { ident, latitude, longitude } = point;
    const place = vectorOf(latitude, longitude);
    const last = points.at(-1);
    const legNm = last ? distanceNm(last.place, place) : 0;
    const at = last ? timeOf(point) : null;
    const flownMs = last ? last.timeMs + (legNm / defaults.groundSpeedKt) * hourMs : beginMs;
    points.push({
      ident,
      latitude,
      longitude,
      flightLevel: point.flightLevel ?? last?.flightLevel ?? defaults.flightLevel,
      timeMs: at === null ? flownMs : Math.max(at + shiftMs, last?.timeMs ?? beginMs),
      distanceNm: (last?.distanceNm ?? 0) + legNm,
      place,
    });
  }
  const legs = points.slice(1).map((end, i) => {
    const start = points[i] ?? end;
    return { start, end, ...legOf(start.place, end.place) };
  });
  return { points, legs };
};

/** A position, level and time on a leg, linear in the share of its length. */
export const momentAt = ({ start, end }: RouteLeg, share: number) => {
  const of = (from: number, to: number): number => from + share * (to - from);
  const place = between(start.place, end.place, share);
  return {
    place,
    ...placeOf(place),
    distanceNm: of(start.distanceNm, end.distanceNm),
    flightLevel: of(start.flightLevel, end.flightLevel),
    timeMs: of(start.timeMs, end.timeMs),
  };
};
