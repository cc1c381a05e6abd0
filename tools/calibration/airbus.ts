import type { Dataset, Parameter } from './types.ts';

const bounds = (path: string, min: number, max: number): Parameter => ({ path, min, max });

/** Autobrakes of the A320 family to a published dry table; maximum manual braking is held. */
export const autobrakeStage = (): Dataset['stages'][number] => ({
  groups: ['autobrake'],
  parameters: [
    bounds('autobrakes/MED/targetMps2', 2.7, 3.3),
    bounds('autobrakes/LO/targetMps2', 1.5, 1.8),
    bounds('autobrakes/MED/delayS', 2.7954, 4),
    bounds('autobrakes/LO/delayS', 2.7954, 6),
  ],
});

/** Ground part of the certified dry distance of one flap: deceleration and its change over weight, by curve node. */
export const certifiedParameters = (flap: string, nodes: readonly number[]): Parameter[] => [
  bounds(`flaps/${flap}/certified/decelerationMps2`, 2.2, 6),
  ...nodes.map((i) => bounds(`calibration/certifiedByMassPerFlap/${flap}/${i}/1`, 0.9, 1.5)),
];

/** Ground part of a contaminated distance of one flap over weight. */
export const contaminatedParameters = (flap: string): Parameter[] =>
  [0, 1].map((i) => bounds(`calibration/contaminatedByMassPerFlap/${flap}/${i}/1`, 0.7, 1.1));
