import { speedStage } from '../boeing.ts';
import type { Dataset } from '../types.ts';

const dataset: Dataset = {
  sources: [
    'VREF: a published 757-200 RB211-535E4 table, file of outside points',
    'Distances: no table found, estimated',
  ],
  points: [],
  stages: [speedStage('VREF', ['30'])],
};

export default dataset;
