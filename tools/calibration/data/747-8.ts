import { boeingDataset } from '../boeing.ts';

export default boeingDataset({
  flaps: ['25', '30'],
  autobrakes: ['MAX_AUTO', '4', '3', '2', '1'],
  reverseN: [10_000, 60_000],
  idleN: [0, 9000],
  sources: [
    'In flight: a published 747-8F table (115 % of the actual distance, air phase of 7 s), file of outside points; weights, speeds and flaps of the 747-8',
  ],
});
