import type { Dataset, Parameter } from './types.ts';

const bounds = (path: string, min: number, max: number): Parameter => ({ path, min, max });

/** Fits the autobrakes of the A320 family to a published dry table, with maximum manual braking fixed. */
export const autobrakeStage = (): Dataset['stages'][number] => ({
  groups: ['autobrake'],
  parameters: [
    bounds('autobrakes/MED/targetMps2', 2.7, 3.3),
    bounds('autobrakes/LO/targetMps2', 1.5, 1.8),
    bounds('autobrakes/MED/delayS', 2.7954, 4),
    bounds('autobrakes/LO/delayS', 2.7954, 6),
  ],
});

/**
 * Fits the ground part of the certified dry distance of one flap: deceleration, and its change with weight at
 * each point of the curve.
 */
export const certifiedParameters = (flap: string, nodes: readonly number[]): Parameter[] => [
  bounds(`flaps/${flap}/certified/decelerationMps2`, 2.2, 6),
  ...nodes.map((i) => bounds(`calibration/certifiedByMassPerFlap/${flap}/${i}/1`, 0.9, 1.5)),
];

/** Fits the ground part of a contaminated distance of one flap by weight. */
export const contaminatedParameters = (flap: string): Parameter[] =>
  [0, 1].map((i) => bounds(`calibration/contaminatedByMassPerFlap/${flap}/${i}/1`, 0.7, 1.1));
