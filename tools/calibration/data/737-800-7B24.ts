import { climbPoints, gradientPoints } from '../b738/climb.ts';
import type { ClimbRow } from '../b738/climb.ts';
import { fieldPoints, requiredPoints, windPoints } from '../b738/dispatch.ts';
import { dispatchCase } from '../build.ts';
import type { Dataset, Point } from '../types.ts';

const climb: ClimbRow[] = [
  [10, 73.0, 70.0, 67.3, 64.5, 61.5],
  [30, 72.5, 67.4, 62.5, 57.7, 52.9],
  [38, 67.5, 62.7, 58.0, 53.3, null],
  [46, 62.7, 58.1, 53.5, null, null],
  [50, 60.2, 55.7, null, null, null],
  [54, 57.9, null, null, null, null],
];
const gradient: ClimbRow[] = [
  [54, 1.94, null, null, null],
  [50, 2.4, null, null, null],
  [46, 2.9, 1.09, null, null],
  [42, 3.4, 1.52, null, null],
  [38, 3.9, 1.95, 0.21, null],
  [34, 4.41, 2.4, 0.58, null],
  [30, 4.95, 2.86, 0.98, 0.14],
  [26, 4.98, 3.33, 1.39, 0.5],
  [22, 5.0, 3.82, 1.82, 0.91],
  [14, 5.05, 3.85, 2.66, 1.7],
  [2, 5.11, 3.9, 2.69, 2.05],
];

/** Landing climb limit weight from the FCOM (flaps 15 approach, 40 landing), t. */
const publishedRows: [number, number, number][] = [
  [54, 0, 57.6],
  [52, 0, 58.7],
  [52, 1000, 56.6],
  [50, 0, 59.9],
  [50, 1000, 57.7],
  [50, 2000, 55.5],
];

const published: Point[] = publishedRows.map(([temperatureC, elevationFt, tonnes]) => ({
  group: 'climb limit weight, FCOM',
  name: `${temperatureC} C ${elevationFt} ft`,
  expected: tonnes * 1000,
  error: 'kg',
  weight: 1,
  input: dispatchCase(4000, 'DRY', { flap: '40' }, { temperatureC }, { elevationFt }),
  path: 'appClimbLimitKg',
}));

const dataset: Dataset = {
  sources: [
    'Dispatch and climb: 737-800/CFM56-7B24 FCOM performance dispatch, FAA, category C brakes',
    'Climb: 737-800/CFM56-7B24 go-around gradient tables',
    'Everything else as 737-800-7B26',
  ],
  points: [
    ...fieldPoints(),
    ...requiredPoints(),
    ...windPoints(),
    ...climbPoints(climb, 'climb limit weight, 2.1 %'),
    ...published,
    ...gradientPoints(gradient),
  ],
  stages: [
    {
      groups: ['climb', 'go-around'],
      parameters: [
        { path: 'thrust/goAroundStaticPerEngineN', min: 70000, max: 117000 },
        { path: 'thrust/lapsePerC', min: 0.004, max: 0.015 },
        { path: 'thrust/kinkShiftCPerKft', min: 0, max: 4 },
        { path: 'thrust/partialLapsePerC', min: 0, max: 0.008 },
        { path: 'thrust/deltaExponent', min: 0.5, max: 1.1 },
      ],
    },
  ],
};

export default dataset;
