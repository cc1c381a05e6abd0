/** Stations near a route, indexed by one-degree cells. */
import {
  between,
  cross,
  dot,
  nearestOn,
  placeOf,
  rad,
  radiansOfNm,
  unit,
  vectorOf,
} from '../geography/sphere.ts';
import type { Vector } from '../geography/sphere.ts';
import type { Route } from './route.ts';

export interface StationPlace {
  icao: string;
  latitudeDeg: number;
  longitudeDeg: number;
}

interface Placed {
  icao: string;
  place: Vector;
}

/** Stations by `cellOf`. */
export type StationIndex = ReadonlyMap<number, readonly Placed[]>;

interface StationNearRoute {
  icao: string;
  /** Distance from the route, nautical miles. */
  offNm: number;
  /** Distance along the route to the nearest point. */
  alongNm: number;
  timeMs: number;
}

const cellOf = (latitude: number, longitude: number): number =>
  Math.floor(latitude + 90) * 360 + (((Math.floor(longitude) % 360) + 540) % 360);

export const stationIndex = (stations: readonly StationPlace[]): StationIndex =>
  Map.groupBy(
    stations.map(({ icao, latitudeDeg, longitudeDeg }) => ({
      icao,
      place: vectorOf(latitudeDeg, longitudeDeg),
      cell: cellOf(latitudeDeg, longitudeDeg),
    })),
    ({ cell }) => cell,
  );

/** Cells that may contain points within a radius. */
const cellsAround = (place: Vector, radius: number): number[] => {
  const { latitude, longitude } = placeOf(place);
  const reach = radius / rad;
  const [south, north] = [Math.max(-90, latitude - reach), Math.min(89.999, latitude + reach)];
  const cos = Math.cos(Math.max(Math.abs(south), Math.abs(latitude + reach)) * rad);
  const width = cos * 180 <= reach ? 180 : reach / cos;
  const cells: number[] = [];
  for (let row = Math.floor(south); row <= Math.floor(north); row++)
    for (let column = Math.floor(longitude - width); column <= Math.floor(longitude + width); column++)
      cells.push(cellOf(row, column));
  return cells;
};

/** Search points one radius apart along a leg: 1.2 radii around them cover all places within one radius of the leg. */
const sharesOf = (angle: number, radius: number): number[] => {
  const steps = Math.max(1, Math.ceil(angle / radius));
  return Array.from({ length: steps + 1 }, (_, i) => i / steps);
};

/** Stations within a distance of the route, each at its nearest point, nearest first. */
export const stationsNear = (
  index: StationIndex,
  { points, legs }: Route,
  radiusNm: number,
): StationNearRoute[] => {
  const radius = radiansOfNm(radiusNm);
  const farthest = Math.sin(radius) + 1e-12;
  const nearest = new Map<string, StationNearRoute>();
  for (const [i, leg] of legs.entries()) {
    const [a, b] = [points[i], points[i + 1]];
    if (!a || !b) continue;
    const cells = new Set(
      sharesOf(leg.angle, radius).flatMap((share) =>
        cellsAround(between(leg.from, leg.to, share), radius * 1.2),
      ),
    );
    const normal = unit(cross(leg.from, leg.to));
    for (const cell of cells)
      for (const { icao, place } of index.get(cell) ?? []) {
        // No part of the leg is nearer than its great circle, so most stations in a cell are skipped here.
        if (normal && Math.abs(dot(place, normal)) > farthest) continue;
        const { angle, share } = nearestOn(leg.from, leg.to, place);
        const offNm = (angle / radius) * radiusNm;
        if (angle > radius || offNm >= (nearest.get(icao)?.offNm ?? Infinity)) continue;
        nearest.set(icao, {
          icao,
          offNm,
          alongNm: a.distanceNm + share * (b.distanceNm - a.distanceNm),
          timeMs: a.timeMs + share * (b.timeMs - a.timeMs),
        });
      }
  }
  return [...nearest.values()].toSorted(
    (one, two) => one.offNm - two.offNm || (one.icao < two.icao ? -1 : 1),
  );
};
