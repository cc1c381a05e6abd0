/** Warnings that a route crosses, with place, time and level. */
import { areaOf, spansInside } from '../geography/area.ts';
import type { Area, Span } from '../geography/area.ts';
import { momentAt } from './route.ts';
import type { Route, RouteLeg } from './route.ts';
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

/** The part of a span where a value that changes linearly along the leg is within limits; null if none. */
const clipped = (
  [begin, end]: Span,
  [from, to]: readonly [number, number],
  low: number,
  high: number,
): Span | null => {
  if (from === to) return from >= low && from <= high ? [begin, end] : null;
  const shares = [(low - from) / (to - from), (high - from) / (to - from)];
  const [first, last] = [Math.max(begin, Math.min(...shares)), Math.min(end, Math.max(...shares))];
  return first <= last ? [first, last] : null;
};

/** Adds a span of a leg, merging it with an adjoining span of the previous leg. */
const add = (passages: Passage[], leg: RouteLeg, [begin, end]: Span): void => {
  const last = passages.at(-1);
  const [exit, { distanceNm, timeMs }] = [momentAt(leg, end), leg.start];
  if (begin === 0 && last && last.exit.distanceNm === distanceNm && last.exit.timeMs === timeMs)
    last.exit = exit;
  else passages.push({ entry: momentAt(leg, begin), exit });
};

/** Touching a corner or an edge of an area is no passage; touching a line is. */
const isLong = ([begin, end]: Span, area: Area): boolean => !area.isClosed || end - begin > 1e-9;

const onRoute = (sigmet: PlacedSigmet, { legs }: Route): SigmetOnRoute => {
  const found: SigmetOnRoute = { sigmet, along: [], crossings: [] };
  const [fromMs, toMs] = [Date.parse(sigmet.validFrom), Date.parse(sigmet.validTo)];
  const [base, top] = [(sigmet.baseFt ?? 0) / 100, (sigmet.topFt ?? Infinity) / 100];
  for (const area of sigmet.areas)
    for (const leg of legs) {
      const { start, end } = leg;
      if (end.timeMs < fromMs || start.timeMs > toMs) continue;
      for (const inside of spansInside(area, leg)) {
        const valid = clipped(inside, [start.timeMs, end.timeMs], fromMs, toMs);
        if (valid === null || !isLong(valid, area)) continue;
        add(found.along, leg, valid);
        const level = clipped(valid, [start.flightLevel, end.flightLevel], base, top);
        if (level !== null && isLong(level, area)) add(found.crossings, leg, level);
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
