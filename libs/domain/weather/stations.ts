/** Stations and pilot reports near a route. */
import { dot, nearestOn, placeOf, rad, radiansOfNm, vectorOf } from '../geography/sphere.ts';
import type { Vector } from '../geography/sphere.ts';
import { momentAt } from './route.ts';
import type { Route } from './route.ts';

interface Place {
  latitude: number;
  longitude: number;
}

export interface StationPlace extends Place {
  icao: string;
}

interface NearRoute {
  /** Distance from the route, nautical miles. */
  offNm: number;
  /** Distance along the route to the nearest point. */
  alongNm: number;
  timeMs: number;
}

/** Places by whole degree of latitude. */
export type PlaceIndex<P> = ReadonlyMap<number, readonly { place: P; vector: Vector }[]>;

export const placeIndex = <P extends Place>(places: readonly P[]): PlaceIndex<P> =>
  Map.groupBy(
    places.map((place) => ({ place, vector: vectorOf(place.latitude, place.longitude) })),
    ({ place }) => Math.floor(place.latitude),
  );

/** Places within a distance of the route, each at its nearest point, nearest first. */
export const placesNear = <P extends Place>(
  index: PlaceIndex<P>,
  { legs }: Route,
  radiusNm: number,
): (P & NearRoute)[] => {
  const radius = radiansOfNm(radiusNm);
  const nearest = new Map<P, NearRoute>();
  for (const leg of legs) {
    // A cap around the middle of the leg contains all places within the radius.
    const reach = leg.angle / 2 + radius;
    const least = Math.cos(reach) - 1e-12;
    const { latitude } = placeOf(leg.middle);
    for (let row = Math.floor(latitude - reach / rad); row <= latitude + reach / rad; row += 1)
      for (const { place, vector } of index.get(row) ?? []) {
        if (dot(vector, leg.middle) < least) continue;
        const { angle, share } = nearestOn(leg.from, leg.to, vector);
        const offNm = (angle / radius) * radiusNm;
        if (angle > radius || offNm >= (nearest.get(place)?.offNm ?? Infinity)) continue;
        const { distanceNm: alongNm, timeMs } = momentAt(leg, share);
        nearest.set(place, { offNm, alongNm, timeMs });
      }
  }
  return [...nearest].map(([place, near]) => ({ ...place, ...near })).toSorted((a, b) => a.offNm - b.offNm);
};
