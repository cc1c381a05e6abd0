import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { aloft, atmosphere } from '#perf/kernel/atmosphere.ts';
import { quickTurnWeight } from '#perf/landing/energy.ts';
import { goAroundGradient } from '#perf/landing/gradient.ts';
import { flapOf } from '#perf/landing/profile-lookup.ts';
import { dispatchCase } from '../build.ts';
import type { Dataset, Point } from '../types.ts';

const metresPerFt = 0.3048;
type Row = [number, ...(number | null)[]];

/** One-engine-out gradient (percent), flaps 15, 65 t, VREF40 + 5: OAT (C), then by altitude. */
const gradientFt = [0, 4000, 8000, 10000, 12000];
const gradient: Row[] = [
  [54, 2.55, null, null, null, null],
  [50, 3.14, null, null, null, null],
  [46, 3.62, 1.35, null, null, null],
  [42, 4.14, 1.74, null, null, null],
  [38, 4.72, 2.48, 0.12, null, null],
  [34, 5.28, 3.08, 0.49, null, null],
  [30, 5.85, 3.56, 0.89, null, null],
  [26, 5.85, 3.95, 1.31, 0.29, null],
  [22, 5.86, 4.14, 1.74, 0.69, null],
  [18, 5.86, 4.14, 2.18, 1.09, null],
  [14, 5.87, 4.14, 2.62, 1.52, 0.28],
  [10, 5.87, 4.13, 2.62, 1.98, 0.7],
  [6, 5.88, 4.13, 2.62, 1.98, 1.12],
  [2, 5.88, 4.14, 2.62, 1.99, 1.14],
];

/** Climb limit weight (t) from the same tables: OAT, then 0, 2000, 4000, 6000, 8000 ft at 2.1 %. */
const climbFt = [0, 2000, 4000, 6000, 8000];
const climb: Row[] = [
  [10, 81.0, 76.4, 72.1, 68.1, 64.2],
  [30, 80.9, 74.6, 69.1, 63.9, 54.8],
  [38, 75.0, 69.4, 63.4, 56.0, 50.8],
  [46, 69.4, 63.1, 57.3, null, null],
  [50, 67.0, 60.7, null, null, null],
  [54, 63.8, null, null, null, null],
];

/** Quick turnaround limit weight (t), flaps 40: OAT, then by altitude. */
const quickFt = [0, 4000, 8000, 10000, 12000, 14000, 14500];
const quickRows: Row[] = [
  [54, 74.7, null, null, null, null, null, null],
  [50, 75.2, null, null, null, null, null, null],
  [45, 75.8, 70.3, null, null, null, null, null],
  [40, 76.3, 70.8, null, null, null, null, null],
  [30, 77.5, 72.0, 66.1, 63.5, 60.9, null, null],
  [20, 78.7, 73.2, 67.2, 64.5, 62.0, 59.4, 58.8],
  [10, 79.9, 74.5, 68.5, 65.7, 63.0, 60.5, 59.8],
  [0, 81.3, 75.7, 70.0, 66.8, 64.1, 61.5, 60.9],
  [-20, 84.2, 78.4, 72.8, 69.9, 66.6, 63.9, 63.3],
  [-40, 87.4, 81.5, 75.8, 72.8, 69.9, 66.7, 65.9],
];

const cells = <T>(
  rows: readonly Row[],
  feet: readonly number[],
  make: (celsius: number, ft: number, value: number) => T,
): T[] =>
  rows.flatMap(([celsius, ...values]) =>
    values.flatMap((value, i) => (value === null ? [] : [make(celsius, feet[i] ?? 0, value)])),
  );

const airAt = (ft: number, celsius: number): ReturnType<typeof atmosphere> =>
  atmosphere(ft * metresPerFt, celsius + 273.15);

const gradients = cells(gradient, gradientFt, (celsius, ft, percent): Point => ({
  group: 'go-around gradient, 65 t',
  name: `${celsius} C ${ft} ft`,
  expected: percent,
  error: 'gradient',
  weight: 0,
  evaluate: (profile: AircraftProfile) =>
    goAroundGradient(profile, flapOf(profile, '40'), 65_000, aloft(airAt(ft, celsius), 0), 0, 1, 5),
}));

const climbs = cells(climb, climbFt, (temperatureC, elevationFt, tonnes): Point => ({
  group: 'climb limit weight, 2.1 %',
  name: `${temperatureC} C ${elevationFt} ft`,
  expected: tonnes * 1000,
  error: 'kg',
  weight: 1,
  input: dispatchCase(4000, 'DRY', { flap: '40' }, { temperatureC }, { elevationFt }),
  path: 'appClimbLimitKg',
}));

const quick = cells(quickRows, quickFt, (celsius, ft, tonnes): Point => ({
  group: 'quick turnaround limit weight',
  name: `${celsius} C ${ft} ft`,
  expected: tonnes * 1000,
  error: 'kg',
  weight: 1,
  evaluate: (profile: AircraftProfile) => quickTurnWeight(profile, airAt(ft, celsius), 0, 0, 1) ?? Number.NaN,
}));

const dataset: Dataset = {
  sources: [
    'Climb: 737-8 / LEAP-1B27 go-around gradient tables of one operator, through an open calculator; limit weights derived from them',
    'Quick turnaround: 737-8 quick turnaround limit weight table, flaps 40',
    'In flight, dispatch, speeds: 737-800 by analogy',
  ],
  points: [...climbs, ...gradients, ...quick],
  stages: [
    {
      groups: ['climb', 'go-around'],
      parameters: [
        { path: 'thrust/goAroundStaticPerEngineN', min: 70_000, max: 125_000 },
        { path: 'thrust/flatRatedToIsaPlusC', min: 12, max: 20 },
        { path: 'thrust/lapsePerC', min: 0.003, max: 0.02 },
        { path: 'thrust/kinkShiftCPerKft', min: -0, max: 8 },
        { path: 'thrust/partialLapsePerC', min: 0, max: 0.012 },
        { path: 'thrust/deltaExponent', min: 0.5, max: 1.1 },
        { path: 'flaps/15/polar/cd0', min: 0.02, max: 0.12 },
        { path: 'flaps/15/polar/k', min: 0.04, max: 0.08 },
      ],
    },
    {
      groups: ['quick'],
      parameters: [
        { path: 'brakes/quickTurn/referenceWeightKg', min: 70_000, max: 90_000 },
        { path: 'brakes/quickTurn/sigmaExponent', min: 0.4, max: 0.7 },
      ],
    },
  ],
};

export default dataset;
