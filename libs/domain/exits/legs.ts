import { projector } from './axis.ts';
import type { AxisPoint, RunwayAxis } from './axis.ts';
import type { AerowayMap, ExitLeg } from './types.ts';

/** Offsets from the centre line: an exit is followed to `farM`, and its angle is measured between the two. */
const nearM = 20;
const farM = 60;
/** Within this offset, an aircraft is still on the centre line. */
const centreM = 2;
const maxTurnDeg = 70;
const maxPathM = 900;
const mergeM = 30;

interface Edge {
  to: number;
  name: string | null;
}

type TaxiwayGraph = ReadonlyMap<number, readonly Edge[]>;

/** Both directions of every taxiway segment, by node. */
export const taxiwayGraph = (map: AerowayMap): TaxiwayGraph => {
  const graph = new Map<number, Edge[]>();
  const add = (from: number, edge: Edge) => {
    const edges = graph.get(from);
    if (edges) edges.push(edge);
    else graph.set(from, [edge]);
  };
  for (const { nodeIds, name } of map.taxiways) {
    nodeIds.slice(1).forEach((to, i) => {
      const from = nodeIds[i];
      if (from === undefined || from === to) return;
      add(from, { to, name });
      add(to, { to: from, name });
    });
  }
  return graph;
};

interface Step extends AxisPoint {
  name: string | null;
}

const turnDeg = (a: AxisPoint, b: AxisPoint, c: AxisPoint): number => {
  const first = Math.atan2(b.rightM - a.rightM, b.alongM - a.alongM);
  const second = Math.atan2(c.rightM - b.rightM, c.alongM - b.alongM);
  const turn = Math.abs(first - second) * (180 / Math.PI);
  return turn > 180 ? 360 - turn : turn;
};

const apart = (a: AxisPoint, b: AxisPoint): number => Math.hypot(a.alongM - b.alongM, a.rightM - b.rightM);

/** The path from a runway node to an offset of 60 m; null if it ends before. */
const follow = (
  from: number,
  first: Edge,
  graph: TaxiwayGraph,
  runwayNodes: ReadonlySet<number>,
  pointOf: (id: number) => AxisPoint | null,
): Step[] | null => {
  const start = pointOf(from);
  if (!start) return null;
  const path: Step[] = [{ ...start, name: null }];
  const seen = new Set([from]);
  let before: AxisPoint = start;
  let edge: Edge | undefined = first;
  let travelled = 0;
  while (edge) {
    const point = pointOf(edge.to);
    // Back at the runway, where another leg begins.
    if (!point || runwayNodes.has(edge.to) || seen.has(edge.to)) return null;
    seen.add(edge.to);
    path.push({ ...point, name: edge.name });
    travelled += apart(before, point);
    if (Math.abs(point.rightM) >= farM) return path;
    if (travelled > maxPathM) return null;
    const here: Edge = edge;
    const previous = before;
    const straightest: { edge: Edge; turn: number }[] = (graph.get(here.to) ?? [])
      .filter((next) => !seen.has(next.to))
      .flatMap((next) => {
        const nextPoint = pointOf(next.to);
        return nextPoint ? [{ edge: next, turn: turnDeg(previous, point, nextPoint) }] : [];
      })
      .filter((next) => next.turn <= maxTurnDeg)
      .sort((a, b) => a.turn - b.turn);
    before = point;
    edge = straightest[0]?.edge;
  }
  return null;
};

/** The point on the path at this offset, interpolated between nodes. */
const atOffset = (path: readonly Step[], offsetM: number): AxisPoint | null => {
  for (let i = 1; i < path.length; i += 1) {
    const a = path[i - 1];
    const b = path[i];
    if (!a || !b) continue;
    const from = Math.abs(a.rightM);
    const to = Math.abs(b.rightM);
    if (to >= offsetM && from <= offsetM && to !== from) {
      const part = (offsetM - from) / (to - from);
      return {
        alongM: a.alongM + (b.alongM - a.alongM) * part,
        rightM: a.rightM + (b.rightM - a.rightM) * part,
      };
    }
  }
  return null;
};

/** The most frequent name on the path: curves are unnamed, the taxiway behind them has the name. */
const nameOf = (path: readonly Step[]): string => {
  const metres = new Map<string, number>();
  path.forEach((step, i) => {
    const before = path[i - 1];
    if (before && step.name !== null) {
      metres.set(step.name, (metres.get(step.name) ?? 0) + apart(before, step));
    }
  });
  const [longest] = [...metres].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return longest?.[0] ?? 'unnamed';
};

const legOf = (path: readonly Step[]): ExitLeg | null => {
  const near = atOffset(path, nearM);
  const far = atOffset(path, farM);
  const [start] = path;
  if (!near || !far || !start) return null;
  const angleDeg =
    Math.atan2(Math.abs(far.rightM) - Math.abs(near.rightM), far.alongM - near.alongM) * (180 / Math.PI);
  // A lead-off line first follows the centre line; the aircraft leaves the runway where the line does.
  const leaving = path.findLast((step) => Math.abs(step.rightM) <= centreM) ?? start;
  return { name: nameOf(path), alongM: leaving.alongM, angleDeg, side: far.rightM > 0 ? 'right' : 'left' };
};

/** Legs of the same name and side within 30 m are one exit; the farther one is kept, to be on the safe side. */
const merge = (legs: readonly ExitLeg[]): ExitLeg[] => {
  const merged: ExitLeg[] = [];
  for (const leg of [...legs].sort((a, b) => a.alongM - b.alongM)) {
    const same = merged.findIndex(
      (other) => other.name === leg.name && other.side === leg.side && leg.alongM - other.alongM <= mergeM,
    );
    if (same < 0) merged.push(leg);
    else merged[same] = leg;
  }
  return merged;
};

/** All taxiway legs leaving this runway, along the axis of its lower-numbered end. */
export const exitLegs = (map: AerowayMap, graph: TaxiwayGraph, axis: RunwayAxis): ExitLeg[] => {
  const project = projector(axis.start, axis.end);
  const pointOf = (id: number): AxisPoint | null => {
    const position = map.nodes.get(id);
    return position ? project(position) : null;
  };
  const legs: ExitLeg[] = [];
  for (const node of axis.nodeIds) {
    for (const edge of graph.get(node) ?? []) {
      const path = follow(node, edge, graph, axis.nodeIds, pointOf);
      const leg = path && legOf(path);
      if (leg) legs.push(leg);
    }
  }
  return merge(legs);
};
