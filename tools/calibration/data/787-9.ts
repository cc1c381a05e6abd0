import { boeingDataset } from '../boeing.ts';

export default boeingDataset({
  flaps: ['25', '30'],
  autobrakes: ['MAX_AUTO', '4', '3', '2', '1'],
  reverseN: [15_000, 80_000],
  idleN: [0, 11_000],
  sources: [
    'In flight: a published 787-8 table (ground roll after a fixed air distance of 305 m), file of outside points; the 787-9 by its weight and speeds',
  ],
});
