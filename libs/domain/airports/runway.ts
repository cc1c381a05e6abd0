import { metresPerFoot } from '../users/units.ts';
import { feetToMetres, round, roundDegrees } from './units.ts';
import type {
  Position,
  RawRunway,
  RawRunwayEnd,
  RunwayEnd,
  RunwayFlag,
  RunwayReject,
  Surface,
} from './types.ts';
import { roundBearing, runwayBearing } from './bearing.ts';
import { deriveDistances, withOfficial } from './distances.ts';
import { distanceM, pointAt, positionOf, wrap360 } from './geometry.ts';
import { identDegrees, normaliseRunwayIdent, runwayPair } from './ident.ts';

const maxSlopePercent = 2;

/**
 * Slope of the lower-numbered end, uphill positive, from the elevations of both ends. Missing elevations, or both equal to the field elevation (copied by the
 * source), count as unknown: 0, assumed. More than 2 % is limited to 2 % and flagged.
 */
export const runwaySlope = (
  lowElevationFt: number | null,
  highElevationFt: number | null,
  fieldElevationFt: number | null,
  lengthM: number,
) => {
  const copied = lowElevationFt === fieldElevationFt && highElevationFt === fieldElevationFt;
  if (lowElevationFt === null || highElevationFt === null || copied) {
    return { percent: 0, source: 'assumed', clamped: false } as const;
  }
  const percent = (((highElevationFt - lowElevationFt) * metresPerFoot) / lengthM) * 100;
  const held = Math.min(maxSlopePercent, Math.max(-maxSlopePercent, percent));
  return { percent: round(held, 3), source: 'published', clamped: held !== percent } as const;
};

/** Prefixes of the hundreds of spellings in use; no prefix fits two classes. */
const beginnings: readonly (readonly [Surface, RegExp])[] = Object.entries({
  unpaved:
    'UNPAVED UNSEAL GRV GRS GRE GRA GVL TURF DIRT EARTH CLA SAN SOIL SOD LAT COR SNO ICE TREATED ' +
    'CALICHE MUD CRUSH GROUND TER PIÇ',
  unknown: 'UNK',
  water: 'WAT',
  paved:
    'PIERCED MAC ASF HARD COP TAR ASP CON PEM PER BIT PAVED PAD PSP MATS METAL STEEL ALUM BRICK SEAL ' +
    'COM CEM',
}).map(([surface, words]) => [surface as Surface, new RegExp(`^(?:${words.replaceAll(' ', '|')})`)]);

/** One-letter codes are whole words, not prefixes. */
const letters: Readonly<Record<string, Surface>> = {
  A: 'paved',
  B: 'paved',
  C: 'paved',
  G: 'unpaved',
  S: 'unpaved',
  W: 'water',
};

/** Class of a free-text surface; of a compound (`ASPH-G`, `CONC/GRVD`) the first part counts. */
export const classifySurface = (text: string): Surface => {
  const first = (
    text
      .trim()
      .toUpperCase()
      .split(/[-/,;+ ]/)[0] ?? ''
  ).trim();
  if (first === '') return 'unknown';
  const letter = letters[first];
  if (letter) return letter;
  return beginnings.find(([, words]) => words.test(first))?.[0] ?? 'unknown';
};

interface RunwayContext {
  fieldElevationFt: number | null;
  /** Magnetic variation at the airport, east positive. */
  variationDeg: number;
  latitudeDeg: number;
}

type NormalisedRunway = { ends: [RunwayEnd, RunwayEnd] } | { reject: RunwayReject };

const geometryTolerance = 0.1;

/**
 * Both runway ends of a published runway after the import rules. Rejected if a designator is unusable for performance
 * or the length is missing.
 */
export const normaliseRunway = (raw: RawRunway, context: RunwayContext): NormalisedRunway => {
  const lowIdent = normaliseRunwayIdent(raw.low.ident);
  const highIdent = normaliseRunwayIdent(raw.high.ident);
  if (!lowIdent || !highIdent || lowIdent === highIdent) return { reject: 'ident' };
  if (raw.lengthFt === null || raw.lengthFt <= 0) return { reject: 'length' };

  const lengthM = feetToMetres(raw.lengthFt);
  const flags: RunwayFlag[] = [];
  if (Math.abs(identDegrees(lowIdent) - identDegrees(highIdent)) !== 180) flags.push('not_reciprocal');

  let low = positionOf(raw.low);
  let high = positionOf(raw.high);
  const apart = low && high ? distanceM(low, high) : null;
  const geometryReliable = apart !== null && Math.abs(apart - lengthM) <= lengthM * geometryTolerance;
  if (apart !== null && !geometryReliable) flags.push('geometry_unreliable');

  const bearing = runwayBearing({
    lowIdent,
    low,
    high,
    geometryReliable,
    publishedTrueDeg:
      raw.low.headingTrueDeg ??
      (raw.high.headingTrueDeg === null ? null : wrap360(raw.high.headingTrueDeg + 180)),
    variationDeg: context.variationDeg,
    latitudeDeg: context.latitudeDeg,
  });
  if (bearing.swapped) {
    [low, high] = [high, low];
    flags.push('geometry_swapped');
  }
  if (bearing.mismatch) flags.push('heading_mismatch');
  if (bearing.isCorrected) flags.push('heading_magnetic');

  const slope = runwaySlope(raw.low.elevationFt, raw.high.elevationFt, context.fieldElevationFt, lengthM);
  if (slope.clamped) flags.push('slope_clamped');

  const shared = {
    runway: runwayPair(lowIdent, highIdent),
    lengthM,
    widthM: raw.widthFt === null || raw.widthFt <= 0 ? null : feetToMetres(raw.widthFt),
    surface: classifySurface(raw.surfaceText),
    isLighted: raw.isLighted,
    isClosed: raw.isClosed,
    slopeSource: slope.source,
  };

  const direction = (
    ident: string,
    reciprocal: string,
    end: RawRunwayEnd,
    far: RawRunwayEnd,
    position: Position | null,
    trueDeg: number,
    slopePercent: number,
  ): RunwayEnd => {
    const own = [...flags];
    let displacedThresholdM = feetToMetres(Math.max(0, end.displacedThresholdFt ?? 0));
    if (displacedThresholdM >= lengthM) {
      displacedThresholdM = 0;
      own.push('displacement_rejected');
    }
    const { distances, rejected } = withOfficial(
      deriveDistances(lengthM, displacedThresholdM),
      end.official,
      lengthM,
    );
    if (rejected) own.push('distance_rejected');
    // A displaced position is derived, which requires coordinates that fit the length.
    const threshold =
      position && displacedThresholdM > 0
        ? geometryReliable
          ? pointAt(position, trueDeg, displacedThresholdM)
          : null
        : position;
    const elevationFt =
      end.elevationFt !== null && far.elevationFt !== null
        ? end.elevationFt + ((far.elevationFt - end.elevationFt) * displacedThresholdM) / lengthM
        : (end.elevationFt ?? context.fieldElevationFt);
    return {
      ...shared,
      ident,
      publishedIdent: end.ident,
      reciprocalIdent: reciprocal,
      trueBearingDeg: trueDeg,
      latitudeDeg: position && roundDegrees(position.latitudeDeg),
      longitudeDeg: position && roundDegrees(position.longitudeDeg),
      thresholdLatitudeDeg: threshold && roundDegrees(threshold.latitudeDeg),
      thresholdLongitudeDeg: threshold && roundDegrees(threshold.longitudeDeg),
      thresholdElevationFt: elevationFt === null ? null : round(elevationFt, 1),
      displacedThresholdM,
      slopePercent,
      distances,
      flags: own,
    };
  };

  return {
    ends: [
      direction(lowIdent, highIdent, raw.low, raw.high, low, bearing.trueDeg, slope.percent),
      direction(
        highIdent,
        lowIdent,
        raw.high,
        raw.low,
        high,
        roundBearing(bearing.trueDeg + 180),
        // Adding zero avoids a slope of -0.
        -slope.percent + 0,
      ),
    ],
  };
};
