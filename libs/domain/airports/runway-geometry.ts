/**
 * A runway end along its pavement, in metres from the start: landing threshold, end of the LDA, closed parts and exits.
 * Displacement and shortening change it, and every distance from the threshold is derived from it.
 */
import type { RunwayExit, ServedRunwayEnd } from './served.ts';

interface Stretch {
  fromM: number;
  toM: number;
}

interface RunwayGeometry {
  /** Pavement length. */
  lengthM: number;
  /** The landing threshold. */
  landingStartM: number;
  /** End of the landing distance available. */
  landingEndM: number;
  /** Closed for landing by NOTAM. */
  closed: readonly Stretch[];
  exits: readonly (RunwayExit & { atM: number })[];
}

type PublishedEnd = Pick<ServedRunwayEnd, 'lengthM' | 'displacedThresholdM' | 'distances'>;

/** The geometry as published. */
export const geometryOf = (end: PublishedEnd, exits: readonly RunwayExit[]): RunwayGeometry => {
  const { lengthM, displacedThresholdM, distances } = end;
  return {
    lengthM,
    landingStartM: displacedThresholdM,
    landingEndM: displacedThresholdM + distances.lda.valueM,
    closed: [],
    exits: exits.map((exit) => ({ ...exit, atM: exit.distanceM + displacedThresholdM })),
  };
};

/** Closed parts at the start and before the end. */
export interface ClosedEnds {
  closedStartM: number;
  closedEndM: number;
}

/** Changes to a runway end by NOTAM. */
export interface GeometryChange extends ClosedEnds {
  /** The landing threshold, from the start of the pavement. */
  displacedM: number;
  ldaM: number;
}

const isStretch = ({ fromM, toM }: Stretch): boolean => toM - fromM > 0.05;

export const changedGeometry = (
  { lengthM, landingStartM, exits }: RunwayGeometry,
  change: GeometryChange,
): RunwayGeometry => {
  const isMoved = change.displacedM > landingStartM + 0.05;
  const closedStart: Stretch = {
    fromM: change.closedStartM > 0 ? 0 : landingStartM,
    toM: isMoved ? change.displacedM : change.closedStartM,
  };
  return {
    lengthM,
    landingStartM: change.displacedM,
    landingEndM: change.displacedM + change.ldaM,
    closed: [closedStart, { fromM: lengthM - change.closedEndM, toM: lengthM }].filter(isStretch),
    exits,
  };
};

/** Exits by distance from the landing threshold; those before it are useless for a landing. */
export const exitsFromThreshold = ({ exits, landingStartM }: RunwayGeometry): RunwayExit[] =>
  exits.map(({ atM, ...exit }) => ({ ...exit, distanceM: atM - landingStartM }));
