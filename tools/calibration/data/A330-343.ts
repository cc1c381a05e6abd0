import { inflightCase, modePoints } from '../build.ts';
import type { Dataset, Point } from '../types.ts';

const modes = ['MAN', 'MED', 'LO'];
type Three = [number, number, number];

/**
 * Distances at 190 t, sea level, ISA, no reversers (m): code, CONF FULL, CONF 3, then the reduction by one
 * reverser with FULL.
 */
const referenceRows: [number, Three, Three, Three][] = [
  [6, [1310, 1670, 2220], [1360, 1750, 2340], [-10, 0, -20]],
  [5, [1600, 1760, 2220], [1700, 1870, 2340], [-20, -20, -20]],
  [3, [2030, 2170, 2310], [2160, 2310, 2450], [-60, -70, -30]],
  [1, [3640, 3710, 3750], [3970, 4050, 4100], [-200, -210, -220]],
];

const reference: Point[] = referenceRows.flatMap(([code, full, three, perReverser]) => [
  ...modePoints(
    'reference 190 t',
    `FULL code ${code}`,
    inflightCase(190_000, code, { flap: 'FULL', reversers: 0 }),
    modes,
    full,
  ),
  ...modePoints(
    'reference 190 t',
    `CONF 3 code ${code}`,
    inflightCase(190_000, code, { flap: '3', reversers: 0 }),
    modes,
    three,
  ),
  ...[1, 2].flatMap((count) =>
    modePoints(
      `${count} of 2 reversers`,
      `FULL code ${code}`,
      inflightCase(190_000, code, { flap: 'FULL', reversers: count }),
      modes,
      full.map((metres, i) => metres + count * (perReverser[i] ?? 0)),
      count === 2 ? 0.5 : 0,
    ),
  ),
]);

/** Corrections of CONF FULL, maximum manual braking, for codes 6, 5, 3 and 1 (m). */
const codes = [6, 5, 3, 1];
type Values = Record<string, number | boolean>;
type Change = [weightKg: number, configuration: Values, weather: Values, runway: Values];
const correctionRows: [string, number[], Change, number][] = [
  ['weight, 10 t more', [170, 180, 150, 290], [200_000, {}, {}, {}], 0.5],
  ['weight, 10 t less', [-40, -70, -70, -140], [180_000, {}, {}, {}], 0.5],
  ['speed, 5 kt more', [80, 120, 110, 170], [190_000, { vAppAdditiveKt: 5 }, {}, {}], 0],
  [
    'pressure altitude, 1000 ft',
    [50, 80, 70, 140],
    [190_000, {}, { temperatureC: 13.02 }, { elevationFt: 1000 }],
    0,
  ],
  ['tailwind, 5 kt', [140, 220, 230, 550], [190_000, {}, { headwindKt: -5 }, {}], 0],
  ['temperature, ISA + 10', [40, 60, 70, 130], [190_000, {}, { temperatureC: 25 }, {}], 0],
  ['slope, 1 % downhill', [20, 40, 90, 720], [190_000, {}, {}, { slopePercent: -1 }], 0],
  ['autoland', [180, 180, 180, 180], [190_000, { autoland: true }, {}, {}], 0],
];

const corrections: Point[] = correctionRows.flatMap(
  ([group, metres, [weightKg, configuration, weather, runway], weight]) =>
    codes.flatMap((code, i) => {
      const base = referenceRows.find((row) => row[0] === code)?.[1][0] ?? Number.NaN;
      // The autoland correction is added to the speed correction for its 5 kt.
      const speed = group === 'autoland' ? (correctionRows[2]?.[1][i] ?? 0) : 0;
      const input = inflightCase(
        weightKg,
        code,
        { flap: 'FULL', reversers: 0, ...configuration },
        weather,
        runway,
      );
      return modePoints(group, `code ${code}`, input, ['MAN'], [base + (metres[i] ?? 0) + speed], weight);
    }),
);

const delays = modes.map((mode) => `autobrakes/${mode}/delayS`);
const dataset: Dataset = {
  sources: [
    'In flight: A330-343 distances at 190 t with corrections, through an open calculator (without its weight defect)',
    'Dispatch, climb, brakes: no table found, estimated',
  ],
  points: [...reference, ...corrections],
  stages: [
    {
      groups: ['reference', '2 of 2', 'weight'],
      parameters: [
        { path: 'braking/friction/6/mu', min: 0.25, max: 0.8 },
        { path: 'braking/friction/5/efficiency', min: 0.5, max: 1.1 },
        { path: 'braking/friction/3/mu', min: 0.08, max: 0.3 },
        { path: 'braking/friction/1/mu', min: 0.03, max: 0.15 },
        { path: 'flaps/FULL/ground/cd', min: 0.08, max: 0.35 },
        { path: 'flaps/3/ground/cd', min: 0.06, max: 0.35 },
        { path: 'thrust/reverse/perEngineN', min: 8000, max: 60000 },
        { path: 'thrust/reverse/cutSpeedKt', min: 30, max: 80 },
        { path: 'autobrakes/MED/targetMps2', min: 2, max: 3.8 },
        { path: 'autobrakes/LO/targetMps2', min: 1.2, max: 2.4 },
        ...delays.map((path) => ({ path, min: 1, max: 9 })),
      ],
    },
  ],
  rising: [delays],
};

export default dataset;
