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
const minExits = 2;

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

interface RunwayVerdict {
  runway: string;
  publishedLengthM: number;
  /** Null if not on the map. */
  osmLengthM: number | null;
  accepted: boolean;
}

/** `ok`: every runway passed with at least two exits per end; `rejected`: every length differs too much. */
const summary = (runways: readonly RunwayVerdict[], thin: readonly string[]) => {
  const refused = runways.filter((runway) => !runway.accepted);
  const parts = refused.map(({ runway, publishedLengthM, osmLengthM }) =>
    osmLengthM === null
      ? `${runway} is not on the map`
      : `${runway} is ${whole(osmLengthM)} m on the map, ${whole(publishedLengthM)} m in the table`,
  );
  if (thin.length > 0) parts.push(`fewer than two exits: ${thin.join(', ')}`);
  const message = parts.length === 0 ? null : parts.join('; ');
  if (runways.length > 0 && refused.length === runways.length) return { state: 'rejected', message } as const;
  return { state: message === null ? 'ok' : 'incomplete', message } as const;
};

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
  const runways: RunwayVerdict[] = [];
  const thin: string[] = [];
  for (const low of ends) {
    const high = ends.find((end) => end.ident === low.reciprocalIdent);
    if (!high || low.isClosed || !low.runway.startsWith(`${low.ident}/`)) continue;
    const axis = axisBetween(low, high, groups, map.nodes);
    const gate = Math.max(lengthGateM, low.lengthM * lengthGatePart);
    const accepted = axis !== null && Math.abs(axis.lengthM - low.lengthM) <= gate;
    runways.push({
      runway: low.runway,
      publishedLengthM: low.lengthM,
      osmLengthM: axis?.lengthM ?? null,
      accepted,
    });
    if (!axis || !accepted) continue;
    const legs = exitLegs(map, graph, axis);
    for (const [end, seen] of [
      [low, legs],
      [high, reversed(legs, axis.lengthM)],
    ] as const) {
      const found = exitsFor(seen, end);
      if (found.length < minExits) thin.push(end.ident);
      exits.push(...found);
      intersections.push(...intersectionsFor(seen, end));
    }
  }
  return { exits, intersections, runways, ...summary(runways, thin) };
};
