import { angleBetween, distanceM, positionOf } from './geometry.ts';
import type { RunwayEnd } from './types.ts';

/** A runway with a new designator, so that stored flights and operator data still find it. */
export interface RunwayRename {
  oldIdent: string;
  newIdent: string;
}

const lengthTolerance = 0.02;
const bearingToleranceDeg = 12;
const positionToleranceM = 150;

const sameRunway = (before: RunwayEnd, after: RunwayEnd): boolean => {
  const lengthFits = Math.abs(before.lengthM - after.lengthM) <= before.lengthM * lengthTolerance;
  const bearingFits = angleBetween(before.trueBearingDeg, after.trueBearingDeg) <= bearingToleranceDeg;
  if (!lengthFits || !bearingFits) return false;
  const [from, to] = [positionOf(before), positionOf(after)];
  return !from || !to || distanceM(from, to) <= positionToleranceM;
};

/**
 * Finds runway ends renamed by an update: same length, bearing and (if known) position. Only unambiguous matches count,
 * so that two parallel runways without coordinates renamed at once are not mixed up.
 */
export const findRenames = (before: readonly RunwayEnd[], after: readonly RunwayEnd[]): RunwayRename[] => {
  const gone = before.filter((end) => !after.some((other) => other.ident === end.ident));
  const fresh = after.filter((end) => !before.some((other) => other.ident === end.ident));
  return gone.flatMap((end) => {
    const matches = fresh.filter((other) => sameRunway(end, other));
    const [match] = matches;
    if (!match || matches.length !== 1) return [];
    if (gone.filter((other) => sameRunway(other, match)).length !== 1) return [];
    return [{ oldIdent: end.ident, newIdent: match.ident }];
  });
};
