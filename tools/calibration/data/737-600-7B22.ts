import { boeingDataset } from '../boeing.ts';

export default boeingDataset({
  flaps: ['15', '30', '40'],
  autobrakes: ['MAX_AUTO', '3', '2', '1'],
  reverseN: [5000, 40_000],
  idleN: [0, 3500],
  byMass: true,
  sources: [
    'In flight: published distances of the 737-600 with their corrections (ground roll after a fixed air distance of 305 m), outside table',
  ],
});
