/** The map of a route, projected with true distances from the middle of the flight. */
import { angleOf, between, distanceNm, radiansOfNm, trackDeg, unit, vectorOf } from '../geography/sphere.ts';
import type { Vector } from '../geography/sphere.ts';
import type { MapScene } from './content.ts';

interface MapPoint {
  ident: string | null;
  latitude: number;
  longitude: number;
}

/** Longitude and latitude in degrees, split at the date line. */
export type LandRing = readonly (readonly [number, number])[];

/** Pixels. */
export const mapSize = { width: 744, height: 540 } as const;
const margin = { x: 90, y: 60 } as const;
/** A short flight is shown within at least this extent. */
const leastNm = 120;
/** Great circles are curved on the map, so they are drawn with a point at each of these distances. */
const stepNm = 60;

type Xy = readonly [number, number];

const lineOf = (places: readonly Vector[]): Vector[] =>
  places.flatMap((place, i) => {
    const next = places[i + 1];
    if (!next) return [place];
    const steps = Math.max(1, Math.ceil(distanceNm(place, next) / stepNm));
    return Array.from({ length: steps }, (_, k) => between(place, next, k / steps));
  });

const flatAround =
  (centre: Vector) =>
  (place: Vector): Xy => {
    const [angle, track] = [angleOf(centre, place), (trackDeg(centre, place) * Math.PI) / 180];
    return [angle * Math.sin(track), -angle * Math.cos(track)];
  };

const isInside = (ring: readonly Xy[], [x, y]: Xy): boolean => {
  let inside = false;
  ring.forEach(([ax, ay], i) => {
    const [bx, by] = ring.at(i - 1) ?? [ax, ay];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
  });
  return inside;
};

const isInView = ([x, y]: Xy, room: number): boolean =>
  x > -room && y > -room && x < mapSize.width + room && y < mapSize.height + room;

/** Drops invisible points: less than a pixel apart, and most of those far outside. */
const decimated = (ring: readonly Xy[]): Xy[] => {
  const kept: Xy[] = [];
  for (const point of ring) {
    const last = kept.at(-1);
    const least = isInView(point, 100) ? 1 : 60;
    if (!last || Math.hypot(point[0] - last[0], point[1] - last[1]) >= least) kept.push(point);
  }
  return kept;
};

const isSeen = (ring: readonly Xy[]): boolean => {
  const [xs, ys] = [ring.map(([x]) => x), ring.map(([, y]) => y)];
  return (
    Math.max(...xs) > 0 &&
    Math.min(...xs) < mapSize.width &&
    Math.max(...ys) > 0 &&
    Math.min(...ys) < mapSize.height
  );
};

const far = 100_000;
const everything: readonly Xy[] = [
  [-far, -far],
  [far, -far],
  [far, far],
  [-far, far],
];

const flattened = (ring: readonly Xy[]): number[] =>
  ring.flatMap(([x, y]) => [Math.round(x * 10) / 10, Math.round(y * 10) / 10]);

/** The map in pixels, for at least two points; `land` is filled by the even-odd rule. */
export const mapOf = (
  points: readonly MapPoint[],
  land: readonly LandRing[],
): Pick<MapScene, 'land' | 'route' | 'points'> => {
  const places = points.map(({ latitude, longitude }) => vectorOf(latitude, longitude));
  const line = lineOf(places);
  const sum = line.reduce<Vector>(([x, y, z], v) => [x + v[0], y + v[1], z + v[2]], [0, 0, 0]);
  const centre = unit(sum) ?? places[0] ?? vectorOf(0, 0);
  const flat = flatAround(centre);
  const flown = line.map(flat);
  const [xs, ys] = [flown.map(([x]) => x), flown.map(([, y]) => y)];
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const scale = Math.min(
    (mapSize.width - 2 * margin.x) / Math.max(right - left, 1e-9),
    (mapSize.height - 2 * margin.y) / Math.max(bottom - top, 1e-9),
    mapSize.width / radiansOfNm(leastNm),
  );
  const toPixels = ([x, y]: Xy): Xy => [
    mapSize.width / 2 + (x - (left + right) / 2) * scale,
    mapSize.height / 2 + (y - (top + bottom) / 2) * scale,
  ];
  const middle: Xy = [
    (Math.atan2(centre[1], centre[0]) * 180) / Math.PI,
    (Math.asin(Math.max(-1, Math.min(1, centre[2]))) * 180) / Math.PI,
  ];
  const centrePx = toPixels([0, 0]);
  const rings = land.flatMap((ring) => {
    const drawn = ring.map(([longitude, latitude]) => toPixels(flat(vectorOf(latitude, longitude))));
    // A ring around the opposite side of the world is inverted: its land is outside.
    const isInsideOut = isInside(drawn, centrePx) && !isInside(ring, middle);
    if (!isInsideOut && !isSeen(drawn)) return [];
    return isInsideOut ? [everything, decimated(drawn)] : [decimated(drawn)];
  });
  const ends = new Set([0, points.length - 1]);
  return {
    land: rings.filter((ring) => ring.length > 2).map(flattened),
    route: flattened(flown.map(toPixels)),
    points: places.map((place, i) => {
      const [x = 0, y = 0] = flattened([toPixels(flat(place))]);
      return { x, y, ident: points[i]?.ident ?? null, isEnd: ends.has(i) };
    }),
  };
};
