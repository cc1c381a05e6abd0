/** Warnings that a route crosses, with place, time and level. */
import { areaOf, spansInside } from '../geography/area.ts';
import type { Area, Span } from '../geography/area.ts';
import { between, placeOf } from '../geography/sphere.ts';
import type { Route, RoutePoint } from './route.ts';
import type { Sigmet } from './sigmet.ts';

/** A warning with precomputed areas. */
interface PlacedSigmet extends Sigmet {
  areas: readonly Area[];
}

/** A position and time on the route; `distanceNm` counts from its beginning. */
export type RouteMoment = ReturnType<typeof momentAt>;

export interface Passage {
  entry: RouteMoment;
  exit: RouteMoment;
}

export interface SigmetOnRoute {
  sigmet: PlacedSigmet;
  /** Passages over, under or through the area while it is valid. */
  along: Passage[];
  /** Passages through it, between its levels too. */
  crossings: Passage[];
}

export const placedSigmet = (sigmet: Sigmet): PlacedSigmet => ({
  ...sigmet,
  areas: sigmet.parts.map((part) => areaOf(part, sigmet.shape === 'area')),
});

/** The part of a leg where a linearly changing value is within limits; null if none. */
const within = (from: number, to: number, low: number, high: number): Span | null => {
  if (from === to) return from >= low && from <= high ? [0, 1] : null;
  const shares = [(low - from) / (to - from), (high - from) / (to - from)];
  const [begin, end] = [Math.max(0, Math.min(...shares)), Math.min(1, Math.max(...shares))];
  return begin <= end ? [begin, end] : null;
};

const common = (a: Span, b: Span | null): Span | null => {
  if (b === null) return null;
  const [begin, end] = [Math.max(a[0], b[0]), Math.min(a[1], b[1])];
  return begin <= end ? [begin, end] : null;
};

const momentAt = (a: RoutePoint, b: RoutePoint, share: number) => {
  const of = (from: number, to: number): number => from + share * (to - from);
  return {
    ...placeOf(between(a.place, b.place, share)),
    distanceNm: of(a.distanceNm, b.distanceNm),
    flightLevel: of(a.flightLevel, b.flightLevel),
    timeMs: of(a.timeMs, b.timeMs),
  };
};

/** Adds a span of the leg between two points, merging it with an adjoining span of the previous leg. */
const add = (passages: Passage[], a: RoutePoint, b: RoutePoint, [begin, end]: Span): void => {
  const last = passages.at(-1);
  const exit = momentAt(a, b, end);
  if (begin === 0 && last && last.exit.distanceNm === a.distanceNm && last.exit.timeMs === a.timeMs)
    last.exit = exit;
  else passages.push({ entry: momentAt(a, b, begin), exit });
};

/** Touching a corner or an edge of an area is no passage; touching a line is. */
const isLong = ([begin, end]: Span, area: Area): boolean => !area.isClosed || end - begin > 1e-9;

const onRoute = (sigmet: PlacedSigmet, { points, legs }: Route): SigmetOnRoute => {
  const found: SigmetOnRoute = { sigmet, along: [], crossings: [] };
  const [fromMs, toMs] = [Date.parse(sigmet.validFrom), Date.parse(sigmet.validTo)];
  const [base, top] = [(sigmet.baseFt ?? 0) / 100, (sigmet.topFt ?? Infinity) / 100];
  for (const area of sigmet.areas)
    for (let i = 0; i < legs.length; i += 1) {
      const leg = legs[i];
      const a = points[i];
      const b = points[i + 1];
      if (!leg || !a || !b || b.timeMs < fromMs || a.timeMs > toMs) continue;
      for (const inside of spansInside(area, leg)) {
        const valid = common(inside, within(a.timeMs, b.timeMs, fromMs, toMs));
        if (valid === null || !isLong(valid, area)) continue;
        add(found.along, a, b, valid);
        const level = common(valid, within(a.flightLevel, b.flightLevel, base, top));
        if (level !== null && isLong(level, area)) add(found.crossings, a, b, level);
      }
    }
  return found;
};

const begin = ({ along }: SigmetOnRoute): number => Math.min(...along.map(({ entry }) => entry.distanceNm));

/** Warnings whose area the route passes while they are valid, in route order; those that it crosses come first. */
export const sigmetsOnRoute = (sigmets: readonly PlacedSigmet[], route: Route): SigmetOnRoute[] => {
  const [beginMs, endMs] = [route.points[0]?.timeMs ?? 0, route.points.at(-1)?.timeMs ?? 0];
  return sigmets
    .filter(({ validFrom, validTo }) => Date.parse(validFrom) <= endMs && Date.parse(validTo) >= beginMs)
    .map((sigmet) => onRoute(sigmet, route))
    .filter(({ along }) => along.length > 0)
    .toSorted(
      (a, b) => Number(b.crossings.length > 0) - Number(a.crossings.length > 0) || begin(a) - begin(b),
    );
};
