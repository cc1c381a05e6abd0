import { angleBetween, distanceM, trueBearingDeg, wrap360 } from './geometry.ts';
import { identDegrees } from './ident.ts';
import type { Position } from './types.ts';
import { round } from './units.ts';

interface BearingInput {
  lowIdent: string;
  low: Position | null;
  high: Position | null;
  /** False when the coordinates disagree with the length. */
  geometryReliable: boolean;
  publishedTrueDeg: number | null;
  /** East positive. */
  variationDeg: number;
  /** Of the airport. */
  latitudeDeg: number;
}

interface Bearing {
  /** Degrees true of the low direction. */
  trueDeg: number;
  source: 'geometry' | 'published' | 'ident';
  /** The coordinates belong to the opposite ends. */
  swapped: boolean;
  /** The best bearing disagrees with the designator by more than 15 degrees. */
  mismatch: boolean;
  /** The bearing published as true is magnetic; the variation has been added to it. */
  isCorrected: boolean;
}

const toleranceDeg = 15;
/**
 * Designators may be chosen freely to distinguish parallels (KATL 08/09/10 all point to 090): coordinates win
 * up to this difference.
 */
const believableDeg = 40;
const swapDeg = 150;
/** Where compasses are of little use, designators are often based on true north (Canada north, Greenland). */
const trueNorth = { variationDeg: 20, latitudeDeg: 60 };
/** A designator is the magnetic bearing to 5 degrees; over the years the variation changes by a few more. */
const asMagnetic = { closeDeg: 5.5, farDeg: 9 };
/** Coordinates closer to each other do not give a direction. */
const directionFromM = 500;

/** Two decimals, 0 <= result < 360 also after rounding. */
export const roundBearing = (degrees: number): number => {
  const rounded = round(wrap360(degrees), 2);
  return rounded >= 360 ? 0 : rounded;
};

/**
 * True when a published bearing fits the designator as it is, but not as a true one less the variation; where there
 * are coordinates, even of a wrong length, their direction must fit the corrected bearing better.
 */
const isPublishedMagnetic = (
  published: number,
  { lowIdent, low, high, variationDeg }: BearingInput,
): boolean => {
  const ident = identDegrees(lowIdent);
  if (angleBetween(published, ident) > asMagnetic.closeDeg) return false;
  if (angleBetween(published - variationDeg, ident) < asMagnetic.farDeg) return false;
  if (!low || !high || distanceM(low, high) < directionFromM) return true;
  const direction = trueBearingDeg(low, high);
  const offBy = (bearing: number) =>
    Math.min(angleBetween(direction, bearing), angleBetween(direction, bearing + 180));
  return offBy(published + variationDeg) < offBy(published);
};

/**
 * True bearing of a runway: from coordinates when they are good, else as published (a magnetic one is corrected), else
 * from the designator and the magnetic variation. A candidate that differs from the designator by more than 40 degrees is skipped.
 */
export const runwayBearing = (input: BearingInput): Bearing => {
  const { lowIdent, low, high, variationDeg } = input;
  const fromIdent = wrap360(Math.round(identDegrees(lowIdent) + variationDeg));
  const namedByTrueNorth =
    lowIdent.endsWith('T') ||
    (Math.abs(variationDeg) > trueNorth.variationDeg && Math.abs(input.latitudeDeg) > trueNorth.latitudeDeg);
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
  const isMagnetic =
    input.publishedTrueDeg !== null &&
    !namedByTrueNorth &&
    isPublishedMagnetic(input.publishedTrueDeg, input);
  const published =
    input.publishedTrueDeg === null
      ? null
      : wrap360(input.publishedTrueDeg + (isMagnetic ? variationDeg : 0));
  const believable = (trueDeg: number | null): trueDeg is number =>
    trueDeg !== null && offBy(trueDeg) <= believableDeg;
  const best = geometry ?? published;
  const mismatch = best !== null && offBy(best) > toleranceDeg;
  const bearing = (trueDeg: number, source: Bearing['source']): Bearing => ({
    trueDeg: roundBearing(trueDeg),
    source,
    swapped,
    mismatch,
    isCorrected: isMagnetic && source === 'published',
  });
  if (believable(geometry)) return bearing(geometry, 'geometry');
  if (believable(published)) return bearing(published, 'published');
  return bearing(fromIdent, 'ident');
};
