import { angleBetween, trueBearingDeg, wrap360 } from './geometry.ts';
import { identDegrees } from './ident.ts';
import type { Position } from './types.ts';
import { round } from './units.ts';

export interface BearingInput {
  lowIdent: string;
  low: Position | null;
  high: Position | null;
  /** False when the coordinates disagree with the length. */
  geometryReliable: boolean;
  publishedTrueDeg: number | null;
  /** East positive. */
  variationDeg: number;
}

export interface Bearing {
  /** Degrees true of the low direction. */
  trueDeg: number;
  source: 'geometry' | 'published' | 'ident';
  /** The coordinates belong to the opposite ends. */
  swapped: boolean;
  /** The best bearing disagrees with the designator by more than 15 degrees. */
  mismatch: boolean;
}

const toleranceDeg = 15;
/**
 * Designators may be chosen freely to distinguish parallels (KATL 08/09/10 all point to 090): coordinates win
 * up to this difference.
 */
const believableDeg = 40;
const swapDeg = 150;
/** Where compasses are of little use, designators are often based on true north (Canada north, Greenland). */
const trueNorthVariationDeg = 20;

/** Two decimals, 0 <= result < 360 also after rounding. */
export const roundBearing = (degrees: number): number => {
  const rounded = round(wrap360(degrees), 2);
  return rounded >= 360 ? 0 : rounded;
};

/**
 * True bearing of a runway: from coordinates when they are good, else as published, else from the designator
 * and the magnetic variation. A candidate that differs from the designator by more than 40 degrees is skipped.
 */
export const runwayBearing = (input: BearingInput): Bearing => {
  const { lowIdent, low, high, variationDeg } = input;
  const fromIdent = wrap360(Math.round(identDegrees(lowIdent) + variationDeg));
  const namedByTrueNorth = lowIdent.endsWith('T') || Math.abs(variationDeg) > trueNorthVariationDeg;
  const offBy = (trueDeg: number): number => {
    const magnetic = angleBetween(trueDeg - variationDeg, identDegrees(lowIdent));
    return namedByTrueNorth ? Math.min(magnetic, angleBetween(trueDeg, identDegrees(lowIdent))) : magnetic;
  };

  let swapped = false;
  let geometry: number | null = null;
  if (low && high && input.geometryReliable) {
    geometry = trueBearingDeg(low, high);
    if (offBy(geometry) > swapDeg) {
      geometry = trueBearingDeg(high, low);
      swapped = true;
    }
  }
  const published = input.publishedTrueDeg === null ? null : wrap360(input.publishedTrueDeg);
  const believable = (trueDeg: number | null): trueDeg is number =>
    trueDeg !== null && offBy(trueDeg) <= believableDeg;
  const best = geometry ?? published;
  const mismatch = best !== null && offBy(best) > toleranceDeg;
  const bearing = (trueDeg: number, source: Bearing['source']): Bearing => ({
    trueDeg: roundBearing(trueDeg),
    source,
    swapped,
    mismatch,
  });
  if (believable(geometry)) return bearing(geometry, 'geometry');
  if (believable(published)) return bearing(published, 'published');
  return bearing(fromIdent, 'ident');
};
