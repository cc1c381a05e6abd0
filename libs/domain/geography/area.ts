import { angleOf, between, cross, dot, unit, vectorOf } from './sphere.ts';
import type { Vector } from './sphere.ts';

/** A polygon or line with great circle edges. */
export interface Area {
  vertices: readonly Vector[];
  isClosed: boolean;
  /** A bounding cap, to skip distant areas. */
  centre: Vector;
  cosRadius: number;
  sinRadius: number;
}

/** Shares of a leg: 0 at its start, 1 at its end. */
export type Span = readonly [from: number, to: number];

/**
 * Latitudes and longitudes in degrees; the first vertex need not be repeated. A polygon is smaller than half the earth
 * and contains the mean of its vertices; it may contain a pole or cross the date line.
 */
export const areaOf = (points: readonly (readonly [number, number])[], isClosed = true): Area => {
  const vertices = points.map(([latitude, longitude]) => vectorOf(latitude, longitude));
  const sum = vertices.reduce<Vector>((a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]], [0, 0, 0]);
  const centre = unit(sum) ?? vertices[0] ?? [0, 0, 1];
  // Slightly larger, so that rounding excludes nothing.
  const radius = Math.max(0, ...vertices.map((v) => angleOf(centre, v))) + 1e-9;
  return { vertices, isClosed, centre, cosRadius: Math.cos(radius), sinRadius: Math.sin(radius) };
};

const edgesOf = ({ vertices, isClosed }: Area): [Vector, Vector][] =>
  vertices.flatMap((vertex, i): [Vector, Vector][] => {
    const next = vertices[i + 1] ?? (isClosed ? vertices[0] : undefined);
    return next ? [[vertex, next]] : [];
  });

const wrapPi = (angle: number): number =>
  angle > Math.PI ? angle - 2 * Math.PI : angle <= -Math.PI ? angle + 2 * Math.PI : angle;

/** True inside a polygon, whose edges then turn once around the place. */
export const contains = (area: Area, place: Vector): boolean => {
  // On the opposite side of the earth they turn around it, too.
  if (!area.isClosed || area.vertices.length < 3 || dot(place, area.centre) <= 0) return false;
  const east: Vector = unit([-place[1], place[0], 0]) ?? [0, 1, 0];
  const north = cross(place, east);
  const azimuth = (v: Vector): number => Math.atan2(dot(v, east), dot(v, north));
  const turned = edgesOf(area).reduce((sum, [from, to]) => sum + wrapPi(azimuth(to) - azimuth(from)), 0);
  return Math.abs(turned) > Math.PI;
};

/** A great circle from one place to another. */
export interface Leg {
  from: Vector;
  to: Vector;
  middle: Vector;
  /** Radians. */
  angle: number;
  /** Cosine of half the angle. */
  cosHalf: number;
  sinHalf: number;
}

export const legOf = (from: Vector, to: Vector): Leg => {
  const angle = angleOf(from, to);
  const [cosHalf, sinHalf] = [Math.cos(angle / 2), Math.sin(angle / 2)];
  return { from, to, middle: between(from, to, 0.5), angle, cosHalf, sinHalf };
};

const tolerance = 1e-12;

/** Where a leg meets the arc from `c` to `d`, as a share of the leg; null if it does not. */
const meeting = ({ from, to, angle }: Leg, normal: Vector, c: Vector, d: Vector): number | null => {
  const other = cross(c, d);
  const line = unit(cross(normal, other));
  if (line === null) return null;
  for (const sign of [1, -1]) {
    const p: Vector = [sign * line[0], sign * line[1], sign * line[2]];
    const isOnLeg = dot(cross(from, p), normal) >= -tolerance && dot(cross(p, to), normal) >= -tolerance;
    const isOnArc = dot(cross(c, p), other) >= -tolerance && dot(cross(p, d), other) >= -tolerance;
    if (isOnLeg && isOnArc) return Math.min(1, angleOf(from, p) / angle);
  }
  return null;
};

/** The parts of a leg inside a polygon; for a line, the crossing points. */
export const spansInside = (area: Area, leg: Leg): Span[] => {
  // The cosine of the sum of both radii; beyond a half turn every place is near.
  const isWide = area.sinRadius < 0 || area.cosRadius + leg.cosHalf < 0;
  if (!isWide && dot(leg.middle, area.centre) < area.cosRadius * leg.cosHalf - area.sinRadius * leg.sinHalf)
    return [];
  const normal = cross(leg.from, leg.to);
  if (unit(normal) === null) return contains(area, leg.from) ? [[0, 1]] : [];
  const cuts = edgesOf(area)
    .map(([c, d]) => meeting(leg, normal, c, d))
    .filter((share) => share !== null)
    .toSorted((one, two) => one - two);
  if (!area.isClosed) return cuts.map((share) => [share, share]);
  const spans: [number, number][] = [];
  let start = 0;
  for (const end of [...cuts, 1]) {
    if (end - start > tolerance && contains(area, between(leg.from, leg.to, (start + end) / 2))) {
      const last = spans.at(-1);
      if (last && last[1] >= start) last[1] = end;
      else spans.push([start, end]);
    }
    start = end;
  }
  return spans;
};
