import { boeingDataset } from '../boeing.ts';

export default boeingDataset({
  flaps: ['20', '25', '30'],
  autobrakes: ['MAX_AUTO', '4', '3', '2', '1'],
  reverseN: [20_000, 110_000],
  idleN: [0, 13_000],
  sources: [
    'In flight: a published 777-300ER table (ground roll after a fixed air distance of 305 m), file of outside points',
  ],
});
