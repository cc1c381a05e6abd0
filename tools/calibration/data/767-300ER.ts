import { speedStage } from '../boeing.ts';
import type { Dataset } from '../types.ts';

const dataset: Dataset = {
  sources: [
    'VREF: a published 767-300 CF6-80C2 table, file of outside points',
    'Distances: no table found, estimated',
  ],
  points: [],
  stages: [speedStage('VREF', ['20', '25', '30'])],
};

export default dataset;
