import type { RunwayEnd } from '../airports/types.ts';
import { axisBetween, groupRunways } from './axis.ts';
import { exitLegs, taxiwayGraph } from './legs.ts';
import type { AerowayMap, ExitLeg } from './types.ts';

/**
 * Greatest difference (or 2 %, whichever is larger) between map and airport data; beyond it, one of them shows another
 * state of the runway.
 */
const lengthGateM = 60;
const lengthGatePart = 0.02;
const maxExitAngleDeg = 105;
/** At a smaller angle, an aircraft cannot turn from the taxiway into the takeoff direction. */
const minEntryAngleDeg = 60;
/** Closer to the threshold, it is the full-length entry rather than an exit. */
const fullLengthM = 50;
const minTakeoffRunM = 600;

type Direction = Pick<RunwayEnd, 'ident' | 'displacedThresholdM' | 'lengthM'>;

/** Half metres would exceed the map's accuracy. */
const whole = (value: number): number => Math.round(value);

const exitsFor = (legs: readonly ExitLeg[], end: Direction) =>
  legs
    .filter((leg) => leg.angleDeg <= maxExitAngleDeg && leg.alongM - end.displacedThresholdM > fullLengthM)
    .map(({ name, side, alongM, angleDeg }) => ({
      ident: end.ident,
      name,
      side,
      /** From the landing threshold. */
      distanceM: whole(alongM - end.displacedThresholdM),
      angleDeg: whole(angleDeg),
    }));

/** `entryM`: from the start of the takeoff run. */
const intersectionsFor = (legs: readonly ExitLeg[], end: Direction) => {
  const byName = new Map<string, number>();
  for (const { name, alongM, angleDeg } of legs) {
    if (name === 'unnamed' || angleDeg < minEntryAngleDeg) continue;
    if (alongM <= fullLengthM || end.lengthM - alongM < minTakeoffRunM) continue;
    // Of two entries with the same name, the shorter distance counts.
    byName.set(name, Math.max(byName.get(name) ?? 0, whole(alongM)));
  }
  return [...byName].map(([name, entryM]) => ({ ident: end.ident, name, entryM }));
};

/** The legs as seen from the other end. */
const reversed = (legs: readonly ExitLeg[], lengthM: number): ExitLeg[] =>
  legs.map((leg) => ({
    name: leg.name,
    alongM: lengthM - leg.alongM,
    angleDeg: 180 - leg.angleDeg,
    side: leg.side === 'left' ? ('right' as const) : ('left' as const),
  }));

export type ExitComputation = ReturnType<typeof computeExits>;

/**
 * Landing exits and takeoff intersections for all open runway ends of an airport, from the map. A runway whose length
 * on the map differs by more than 60 m or 2 % has none.
 */
export const computeExits = (map: AerowayMap, ends: readonly RunwayEnd[]) => {
  const groups = groupRunways(map.runways);
  const graph = taxiwayGraph(map);
  const exits: ReturnType<typeof exitsFor> = [];
  const intersections: ReturnType<typeof intersectionsFor> = [];
  /** Runway ends whose length on the map fits. */
  const idents: string[] = [];
  for (const low of ends) {
    const high = ends.find((end) => end.ident === low.reciprocalIdent);
    if (!high || low.isClosed || !low.runway.startsWith(`${low.ident}/`)) continue;
    const axis = axisBetween(low, high, groups, map.nodes);
    const gate = Math.max(lengthGateM, low.lengthM * lengthGatePart);
    if (!axis || Math.abs(axis.lengthM - low.lengthM) > gate) continue;
    const legs = exitLegs(map, graph, axis);
    for (const [end, seen] of [
      [low, legs],
      [high, reversed(legs, axis.lengthM)],
    ] as const) {
      idents.push(end.ident);
      exits.push(...exitsFor(seen, end));
      intersections.push(...intersectionsFor(seen, end));
    }
  }
  return { idents, exits, intersections };
};
