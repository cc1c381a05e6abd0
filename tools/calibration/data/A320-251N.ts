import { requiredPoints, speedPoints } from '../a320/dispatch.ts';
import { combinedPoints } from '../a320/combined.ts';
import { inflightPoints } from '../a320/inflight.ts';
import { factors, factorPoints } from '../a320/non-normal.ts';
import type { Dataset } from '../types.ts';

const modes = ['MAN', 'MED', 'LO'];
const delays = modes.map((mode) => `autobrakes/${mode}/delayS`);
const codes = ['1', '2', '3', '4'].map((code) => `braking/friction/${code}/mu`);

const dataset: Dataset = {
  sources: [
    'In flight: A320-251N quick reference handbook distances, computed with an open calculator (FULL and CONF 3)',
    'Codes 4 and 2: ratios of ground rolls published with an open landing calculator',
    'Dispatch: A320 FCOM required landing distances',
    'VLS: A320-251N table of 5 t steps',
  ],
  points: [...inflightPoints, ...combinedPoints, ...speedPoints, ...requiredPoints, ...factorPoints],
  stages: [
    {
      groups: ['VLS'],
      parameters: ['FULL', '3'].flatMap((flap) => [
        { path: `flaps/${flap}/vref/ktPerSqrtTonne`, min: 13, max: 22 },
        { path: `flaps/${flap}/vref/exponent`, min: 0.42, max: 0.55 },
      ]),
    },
    {
      groups: ['reference', 'codes', 'weight', 'pressure', 'combined'],
      parameters: [
        { path: 'braking/friction/6/mu', min: 0.3, max: 0.8 },
        { path: 'braking/friction/5/efficiency', min: 0.6, max: 1.1 },
        ...codes.filter((path) => !path.includes('/2/')).map((path) => ({ path, min: 0.04, max: 0.3 })),
        { path: 'braking/friction/2/efficiency', min: 0.5, max: 1.2 },
        { path: 'flaps/FULL/ground/cd', min: 0.1, max: 0.35 },
        { path: 'flaps/FULL/ground/cl', min: -0.2, max: 0.5 },
        { path: 'flaps/3/ground/cd', min: 0.08, max: 0.35 },
        { path: 'flaps/3/ground/cl', min: -0.2, max: 0.5 },
        { path: 'thrust/reverse/perEngineN', min: 8000, max: 40000 },
        { path: 'thrust/reverse/cutSpeedKt', min: 20, max: 75 },
        ...['6', '5', '3'].map((code) => ({
          path: `thrust/reverse/creditByCode/${code}`,
          min: 0.1,
          max: 1,
        })),
        { path: 'thrust/idleForwardPerEngineN', min: 0, max: 9000 },
        { path: 'autobrakes/MED/targetMps2', min: 2.5, max: 3.8 },
        { path: 'autobrakes/LO/targetMps2', min: 1.4, max: 2.2 },
        ...delays.map((path) => ({ path, min: 1, max: 9 })),
        ...['FULL', '3'].flatMap((flap) =>
          [0, 1, 3].map((i) => ({
            path: `calibration/rollByMassPerFlap/${flap}/${i}/1`,
            min: 0.85,
            max: 1.35,
          })),
        ),
        { path: 'calibration/rollPerKft', min: 0, max: 0.03 },
        { path: 'calibration/manualOverweightMPerTonne', min: 0, max: 60 },
      ],
    },
    {
      groups: ['slope, 1 and 2 %'],
      parameters: [{ path: 'calibration/downhillFactor', min: 1, max: 2 }],
    },
    {
      groups: ['dispatch RLD, dry'],
      parameters: ['FULL', '3'].flatMap((flap) => [
        { path: `flaps/${flap}/certified/timeS`, min: 1, max: 8 },
        { path: `flaps/${flap}/certified/decelerationMps2`, min: 2.2, max: 6 },
      ]),
    },
    {
      groups: ['non-normal'],
      parameters: factors.map(([value]) => ({
        path: `nonNormal/${value}/effect/distanceFactor`,
        min: 0.8,
        max: 2,
      })),
    },
    {
      groups: ['dispatch RLD, contaminated', 'RLD, both'],
      parameters: [
        { path: 'braking/contaminantWidthM', min: 0, max: 4 },
        ...[0, 1, 2].map((i) => ({
          path: `calibration/contaminatedByMassPerFlap/FULL/${i}/1`,
          min: 0.8,
          max: 1.1,
        })),
        ...[0, 1].map((i) => ({
          path: `calibration/contaminatedByMassPerFlap/3/${i}/1`,
          min: 0.8,
          max: 1.1,
        })),
        { path: 'calibration/contaminatedPerKft', min: 0, max: 0.06 },
        { path: 'thrust/reverse/dispatchCutSpeedKt', min: 30, max: 100 },
      ],
    },
  ],
  rising: [delays],
};

export default dataset;
