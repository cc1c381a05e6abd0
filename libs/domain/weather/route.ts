/** A flight route: its points with positions, levels and times. */
import { distanceNm, vectorOf } from '../geography/sphere.ts';
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

export interface RoutePoint {
  ident: string | null;
  latitude: number;
  longitude: number;
  flightLevel: number;
  timeMs: number;
  /** Distance along the route from its beginning, nautical miles. */
  distanceNm: number;
  place: Vector;
}

export interface Route {
  points: readonly RoutePoint[];
  /** `legs[i]` is from `points[i]` to the next. */
  legs: readonly Leg[];
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
  const legs = points.slice(1).map((point, i) => legOf(points[i]?.place ?? point.place, point.place));
  return { points, legs };
};
