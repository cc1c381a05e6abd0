import { angleBetween, distanceM, trueBearingDeg, wrap360 } from './geometry.ts';
import { identDegrees } from './ident.ts';
import type { Position } from './types.ts';
import { round } from './units.ts';

interface BearingInput {
  lowIdent: string;
  low: Position | null;
  high: Position | null;
  /** False if the coordinates contradict the length. */
  geometryReliable: boolean;
  publishedTrueDeg: number | null;
  /** East positive. */
  variationDeg: number;
  /** Of the airport. */
  latitudeDeg: number;
}

const toleranceDeg = 15;
/**
 * Designators of parallel runways may be shifted (KATL 08/09/10 all point to 090), so coordinates win up to this
 * difference.
 */
const believableDeg = 40;
const swapDeg = 150;
/** Where compasses are unreliable, designators are often based on true north (Canada, Greenland). */
const trueNorth = { variationDeg: 20, latitudeDeg: 60 };
/** A designator is the magnetic bearing within 5 degrees; over the years the variation adds some more. */
const asMagnetic = { closeDeg: 5.5, farDeg: 9 };
/** Coordinates closer together give no reliable direction. */
const directionFromM = 500;

/** Two decimals, 0 <= result < 360 also after rounding. */
export const roundBearing = (degrees: number): number => {
  const rounded = round(wrap360(degrees), 2);
  return rounded >= 360 ? 0 : rounded;
};

/**
 * True if a published bearing fits the designator as it is, but would not as a true bearing. If there are coordinates,
 * even with a wrong length, their direction must fit the corrected bearing better.
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
 * True bearing of a runway: from reliable coordinates, else as published (corrected if magnetic), else from designator
 * and variation. A candidate more than 40 degrees off the designator is skipped.
 */
export const runwayBearing = (input: BearingInput) => {
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
  const bearing = (trueDeg: number, isCorrected = false) => ({
    /** From the lower-numbered end. */
    trueDeg: roundBearing(trueDeg),
    /** Each end had the coordinates of the other. */
    swapped,
    /** The coordinates or the published bearing differ from the designator by more than 15 degrees. */
    mismatch,
    /** The published "true" bearing was magnetic; the variation was added. */
    isCorrected,
  });
  if (believable(geometry)) return bearing(geometry);
  if (believable(published)) return bearing(published, isMagnetic);
  return bearing(fromIdent);
};
