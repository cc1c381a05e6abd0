import { angleBetween, distanceM, localOffsetM, positionOf, trueBearingDeg } from '../airports/geometry.ts';
import { runwayPair, splitRunwayPair } from '../airports/ident.ts';
import type { Position, RunwayEnd } from '../airports/types.ts';
import type { AerowayMap, Aeroway } from './types.ts';

/** A runway's centre line on the map. */
export interface RunwayAxis {
  /** `08R/26L`. */
  runway: string;
  /** Start of the lower-numbered end. */
  start: Position;
  end: Position;
  lengthM: number;
  nodeIds: ReadonlySet<number>;
}

/** Metres along the axis, and to its right. */
export interface AxisPoint {
  alongM: number;
  rightM: number;
}

/** Projects onto an axis; accurate to centimetres over an airport. */
export const projector = (start: Position, end: Position): ((point: Position) => AxisPoint) => {
  const far = localOffsetM(start, end);
  const length = Math.hypot(far.eastM, far.northM);
  const east = far.eastM / length;
  const north = far.northM / length;
  return (point) => {
    const { eastM, northM } = localOffsetM(start, point);
    return { alongM: eastM * east + northM * north, rightM: eastM * north - northM * east };
  };
};

const farthestPair = (points: readonly Position[]): [Position, Position] | null => {
  let best: [Position, Position] | null = null;
  let most = 0;
  points.forEach((a, i) => {
    for (const b of points.slice(i + 1)) {
      const apart = distanceM(a, b);
      if (apart > most) {
        most = apart;
        best = [a, b];
      }
    }
  });
  return best;
};

/** Ways by normalised designator pair; those without one (model airfields, helipads) are left out. */
export const groupRunways = (ways: readonly Aeroway[]): Map<string, Aeroway[]> => {
  const groups = new Map<string, Aeroway[]>();
  for (const way of ways) {
    const pair = way.name === null ? null : splitRunwayPair(way.name);
    if (!pair) continue;
    const key = runwayPair(...pair);
    groups.set(key, [...(groups.get(key) ?? []), way]);
  }
  return groups;
};

type Direction = Pick<RunwayEnd, 'latitudeDeg' | 'longitudeDeg'>;

/** The axis of a group of ways, in the landing direction of the lower-numbered end. */
const axisOf = (
  runway: string,
  ways: readonly Aeroway[],
  nodes: AerowayMap['nodes'],
  lowBearingDeg: number,
): RunwayAxis | null => {
  const nodeIds = new Set(ways.flatMap((way) => way.nodeIds));
  const points = [...nodeIds].flatMap((id) => nodes.get(id) ?? []);
  const pair = farthestPair(points);
  if (!pair) return null;
  const [a, b] = pair;
  const forward = angleBetween(trueBearingDeg(a, b), lowBearingDeg) <= 90;
  return {
    runway,
    start: forward ? a : b,
    end: forward ? b : a,
    lengthM: distanceM(a, b),
    nodeIds,
  };
};

/** A runway end on the map within this distance is taken as the end in the airport data. */
const sameEndM = 150;

/** The axis between the ends in the airport data, whatever the map names it, else the one with the same designators. */
export const axisBetween = (
  low: Direction & Pick<RunwayEnd, 'runway' | 'trueBearingDeg'>,
  high: Direction,
  groups: ReadonlyMap<string, readonly Aeroway[]>,
  nodes: AerowayMap['nodes'],
): RunwayAxis | null => {
  const axis = (ways: readonly Aeroway[]) => axisOf(low.runway, ways, nodes, low.trueBearingDeg);
  const [begin, end] = [positionOf(low), positionOf(high)];
  const farM = (one: RunwayAxis): number =>
    begin && end ? Math.max(distanceM(one.start, begin), distanceM(one.end, end)) : Infinity;
  const [nearest] = [...groups.values()]
    .flatMap((ways) => axis(ways) ?? [])
    .toSorted((a, b) => farM(a) - farM(b));
  return nearest && farM(nearest) <= sameEndM ? nearest : axis(groups.get(low.runway) ?? []);
};
