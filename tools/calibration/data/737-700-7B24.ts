import { boeingDataset } from '../boeing.ts';

export default boeingDataset({
  flaps: ['15', '30', '40'],
  autobrakes: ['MAX_AUTO', '3', '2', '1'],
  reverseN: [5000, 40_000],
  idleN: [0, 3500],
  vrefFlaps: ['15', '30', '40'],
  sources: [
    'In flight: a published 737-700 table (ground roll after a fixed air distance of 305 m), file of outside points',
  ],
});
