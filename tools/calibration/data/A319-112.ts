import { autobrakeStage, certifiedParameters } from '../airbus.ts';
import type { Dataset } from '../types.ts';

const dataset: Dataset = {
  sources: [
    'Dispatch and autobrake: published A319 CFM certified and autobrake distances, dry, file of outside points',
    'Contaminated: by analogy with the A320-251N',
  ],
  points: [],
  stages: [
    {
      groups: ['certified'],
      parameters: [...certifiedParameters('FULL', [0, 2]), ...certifiedParameters('3', [0])],
    },
    autobrakeStage(),
  ],
  rising: [['MAN', 'MED', 'LO'].map((mode) => `autobrakes/${mode}/delayS`)],
};

export default dataset;
