import { speedPointsOf, requiredPoints } from '../a320/dispatch.ts';
import { factors, factorPoints } from '../a320/non-normal.ts';
import { autobrakeStage } from '../airbus.ts';
import type { Dataset } from '../types.ts';

/** VLS (kt) of the A320 family by weight (t), centre of gravity at 25 % or aft: CONF FULL, CONF 3. */
const vls: [number, number, number][] = [
  [40, 106, 110],
  [44, 111, 115],
  [48, 116, 120],
  [52, 121, 125],
  [56, 125, 130],
  [60, 130, 135],
  [64, 134, 139],
  [68, 138, 143],
  [72, 142, 147],
  [76, 146, 151],
  [78, 148, 153],
];

const dataset: Dataset = {
  outsideWeight: 0.1,
  sources: [
    'VLS: A319/A320/A321 QRH rev 36',
    'Dispatch: A320 FCOM required landing distances',
    'Non-normal: A319/A320/A321 QRH rev 36',
    'In flight: by analogy with the A320-251N, no table found',
  ],
  points: [...speedPointsOf(vls), ...requiredPoints, ...factorPoints],
  stages: [
    autobrakeStage(),
    {
      groups: ['VLS'],
      parameters: ['FULL', '3'].map((flap) => ({
        path: `flaps/${flap}/vref/ktPerSqrtTonne`,
        min: 14,
        max: 20,
      })),
    },
    {
      groups: ['dispatch RLD, dry', 'certified'],
      parameters: ['FULL', '3'].flatMap((flap) => [
        { path: `flaps/${flap}/certified/timeS`, min: 1, max: 8 },
        { path: `flaps/${flap}/certified/decelerationMps2`, min: 2.2, max: 6 },
        { path: `calibration/certifiedByMassPerFlap/${flap}/0/1`, min: 1, max: 1.12 },
        { path: `calibration/certifiedByMassPerFlap/${flap}/2/1`, min: 1, max: 1.3 },
        { path: `calibration/certifiedByMassPerFlap/${flap}/3/1`, min: 1, max: 1.6 },
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
        ...[0, 1].map((i) => ({
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
  rising: [['MAN', 'MED', 'LO'].map((mode) => `autobrakes/${mode}/delayS`)],
};

export default dataset;
