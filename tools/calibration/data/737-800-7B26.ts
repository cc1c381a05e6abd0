import { energyPoints } from '../b738/brakes.ts';
import { climbPoints, gradientPoints, quickTurnPoints, weightAdjustmentPoints } from '../b738/climb.ts';
import type { ClimbRow } from '../b738/climb.ts';
import { fieldPoints, requiredPoints, windPoints } from '../b738/dispatch.ts';
import { betweenPoints, inflightPoints, reverserPoints, vrefPoints } from '../b738/inflight.ts';
import { nonNormalPoints, ratioPoints } from '../b738/non-normal.ts';
import type { Dataset } from '../types.ts';

const climb: ClimbRow[] = [
  [10, null, 76.1, 71.5, 67.2, 63.1],
  [30, 79.5, 74.0, 68.9, 64.0, 58.6],
  [38, 74.1, 69.4, 64.8, 60.0, 54.4],
  [46, 69.2, 64.8, 59.7, null, null],
  [50, 66.9, 61.7, null, null, null],
  [54, 63.6, null, null, null, null],
];
const gradient: ClimbRow[] = [
  [54, 3.09, null, null, null],
  [50, 3.77, null, null, null],
  [46, 4.27, 2.3, null, null],
  [42, 4.78, 2.9, null, null],
  [38, 5.3, 3.34, 1.27, null],
  [34, 5.83, 3.81, 1.65, 0.73],
  [30, 6.38, 4.2, 2.07, 1.15],
  [26, 6.41, 4.49, 2.42, 1.48],
  [22, 6.44, 4.71, 2.66, 1.71],
  [14, 6.49, 4.74, 2.96, 2.01],
  [2, 6.55, 4.78, 2.99, 2.17],
];
const quick: ClimbRow[] = [
  [54, 80.9, null, null, null],
  [45, 82.1, 76.1, null, null],
  [40, 82.8, 76.7, null, null],
  [30, 84.3, 78.0, 72.2, 69.3],
  [20, 85.9, 79.3, 73.4, 70.5],
  [10, 86.1, 80.8, 74.8, 71.8],
  [0, 86.1, 82.4, 76.2, 73.1],
  [-20, 86.1, 85.8, 79.2, 76.0],
  [-40, 86.1, 86.1, 82.6, 79.2],
];

const quickCarbon: ClimbRow[] = [
  [54, 74.9, null, null, null],
  [45, 76.0, 70.4, null, null],
  [30, 77.9, 72.2, 66.8, 63.7],
  [20, 79.3, 73.5, 68.0, 64.8],
  [10, 80.7, 74.8, 69.2, 66.5],
  [0, 82.2, 76.2, 70.5, 67.7],
  [-20, 85.6, 79.2, 73.3, 70.4],
  [-40, 86.1, 82.7, 76.5, 73.4],
];

const delays = ['MAX_MAN', 'MAX_AUTO', '3', '2', '1'].map((mode) => `autobrakes/${mode}/delayS`);

const dataset: Dataset = {
  outsideWeight: 0.24,
  sources: [
    'In flight, VREF, reversers, non-normal: 737-800 performance card of 24 Jan 2020 (airline, through an open calculator)',
    'Dispatch: 737-800/CFM56-7B24 FCOM performance dispatch, FAA, category C brakes',
    'Climb and quick turnaround: 737-800/CFM56-7B26 go-around gradient and quick turnaround tables, steel brakes',
    'Brake energy: 737-800 brake cooling schedule',
  ],
  points: [
    ...inflightPoints(),
    ...reverserPoints().map((point) => ({ ...point, weight: 1.1 })),
    ...betweenPoints(),
    ...vrefPoints(),
    ...fieldPoints(),
    ...windPoints(),
    ...climbPoints(climb, 'climb limit weight, 2.1 %'),
    ...gradientPoints(gradient),
    ...weightAdjustmentPoints(),
    ...quickTurnPoints(quick),
    ...quickTurnPoints(quickCarbon, 'quick turnaround limit weight, carbon', { brakes: 'carbon' }),
    ...energyPoints(),
    ...requiredPoints(),
    ...nonNormalPoints(0.5),
    ...ratioPoints(),
  ],
  stages: [
    {
      groups: ['VREF'],
      parameters: ['15', '30', '40'].flatMap((flap) => [
        { path: `flaps/${flap}/vref/ktPerSqrtTonne`, min: 14, max: 22 },
        { path: `flaps/${flap}/vref/exponent`, min: 0.45, max: 0.55 },
      ]),
    },
    {
      groups: [
        'in flight, dry',
        'in flight, good',
        'in flight, medium',
        'in flight, poor',
        'in flight, reversers',
        'ground roll',
      ],
      parameters: [
        { path: 'braking/friction/6/mu', min: 0.3, max: 0.7 },
        { path: 'braking/friction/5/mu', min: 0.15, max: 0.35 },
        { path: 'braking/friction/3/mu', min: 0.08, max: 0.32 },
        { path: 'braking/friction/1/mu', min: 0.04, max: 0.1 },
        { path: 'flaps/30/ground/cd', min: 0.08, max: 0.32 },
        { path: 'flaps/30/ground/cl', min: -0.3, max: 0.5 },
        { path: 'flaps/40/ground/cd', min: 0.08, max: 0.32 },
        { path: 'flaps/40/ground/cl', min: -0.3, max: 0.5 },
        { path: 'thrust/reverse/perEngineN', min: 5000, max: 40000 },
        { path: 'thrust/reverse/cutSpeedKt', min: 20, max: 70 },
        { path: 'thrust/reverse/delayS', min: 0.5, max: 6 },
        { path: 'thrust/idleForwardPerEngineN', min: 0, max: 9000 },
        { path: 'airDistance/timeS', min: 4, max: 5.0 },
        { path: 'autobrakes/MAX_AUTO/targetMps2', min: 3.3, max: 4.4 },
        { path: 'autobrakes/3/targetMps2', min: 2.0, max: 2.6 },
        { path: 'autobrakes/2/targetMps2', min: 1.4, max: 1.8 },
        { path: 'autobrakes/1/targetMps2', min: 1.1, max: 1.5 },
        { path: 'calibration/rollByMass/0/1', min: 0.9, max: 1.15 },
        { path: 'calibration/rollByMass/2/1', min: 0.85, max: 1.1 },
        ...delays.map((path) => ({ path, min: 0.5, max: 8 })),
        { path: 'wind/inflightHeadwind', min: 0.2, max: 1 },
        { path: 'wind/inflightTailwind', min: 1, max: 1.6 },
      ],
    },
    {
      groups: ['in flight, codes'],
      parameters: [
        { path: 'braking/friction/4/mu', min: 0.08, max: 0.3 },
        { path: 'braking/friction/2/mu', min: 0.03, max: 0.15 },
      ],
    },
    {
      groups: ['dispatch, field limit'],
      parameters: [
        { path: 'flaps/40/certified/timeS', min: 1, max: 7 },
        { path: 'flaps/40/certified/decelerationMps2', min: 2.5, max: 6 },
      ],
    },
    {
      groups: ['climb', 'go-around'],
      parameters: [
        { path: 'thrust/goAroundStaticPerEngineN', min: 70000, max: 117000 },
        { path: 'thrust/lapsePerC', min: 0.004, max: 0.015 },
        { path: 'thrust/kinkShiftCPerKft', min: 0, max: 4 },
        { path: 'thrust/partialLapsePerC', min: 0, max: 0.008 },
        { path: 'thrust/deltaExponent', min: 0.5, max: 1.1 },
        { path: 'flaps/15/polar/cd0', min: 0.02, max: 0.12 },
        { path: 'flaps/15/polar/k', min: 0.025, max: 0.08 },
      ],
    },
    {
      groups: ['quick'],
      parameters: [
        { path: 'brakes/quickTurn/referenceWeightKg', min: 70000, max: 95000 },
        { path: 'brakes/quickTurn/sigmaExponent', min: 0.3, max: 0.8 },
      ],
    },
    {
      groups: ['quick turnaround limit weight, carbon'],
      parameters: [
        { path: 'brakeOptions/carbon/quickTurn/referenceWeightKg', min: 70000, max: 95000 },
        { path: 'brakeOptions/carbon/quickTurn/sigmaExponent', min: 0.3, max: 0.8 },
      ],
    },
    {
      groups: ['reference brake'],
      parameters: [
        { path: 'brakes/energy/kineticShare', min: 0.5, max: 1.2 },
        { path: 'brakes/energy/kineticSigmaShare', min: 0, max: 1 },
        { path: 'brakes/energy/aeroSigmaV4', min: 0, max: 3 },
        { path: 'brakes/energy/perV70', min: 0, max: 15 },
      ],
    },
    {
      groups: ['non-normal', 'in flight, dry'],
      parameters: [
        ...['15', '5', 'UP'].flatMap((flap) => [
          { path: `flaps/${flap}/ground/cd`, min: 0.03, max: 0.4 },
          { path: `flaps/${flap}/ground/cl`, min: -1.2, max: 0.7 },
        ]),
        ...['HYD_A_LOSS_30', 'HYD_A_LOSS_40', 'MANUAL_REVERSION'].flatMap((value) => [
          { path: `nonNormal/${value}/effect/frictionFactor`, min: 0.3, max: 1 },
          { path: `nonNormal/${value}/effect/spoilerFraction`, min: 0, max: 1 },
        ]),
        { path: 'braking/torqueLimitN', min: 250_000, max: 600_000 },
        { path: 'nonNormal/MANUAL_REVERSION/effect/delayAddS', min: 0, max: 4 },
        ...['15', '30', '40'].map((flap) => ({
          path: `nonNormal/AIRSPEED_UNRELIABLE_${flap}/vref/addKt`,
          min: 0,
          max: 25,
        })),
      ],
    },
    {
      groups: ['ratios'],
      parameters: [
        { path: 'braking/antiskidInopFactor/dry', min: 0.2, max: 0.9 },
        { path: 'braking/antiskidInopFactor/slippery', min: 0.2, max: 0.9 },
      ],
    },
  ],
  rising: [delays],
};

export default dataset;
