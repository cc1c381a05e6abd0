import { certifiedParameters, contaminatedParameters } from '../airbus.ts';
import type { Dataset } from '../types.ts';

const dataset: Dataset = {
  sources: [
    'Dispatch: published A321 required landing distances (subtype not stated), file of outside points; fluids a quarter of an inch deep',
    'In flight: by analogy with the A320-251N',
  ],
  points: [],
  stages: [
    {
      groups: ['required distance, dry runway', 'required distance, wet'],
      parameters: [
        { path: 'flaps/FULL/certified/timeS', min: 3, max: 6 },
        ...certifiedParameters('FULL', []),
        ...certifiedParameters('3', [0, 2]),
      ],
    },
    {
      groups: [
        'required distance, compacted',
        'required distance, dry snow',
        'required distance, slush',
        'required distance, standing water',
      ],
      parameters: [
        ...contaminatedParameters('FULL'),
        ...contaminatedParameters('3'),
        { path: 'braking/contaminantWidthM', min: 1, max: 4 },
      ],
    },
  ],
};

export default dataset;
