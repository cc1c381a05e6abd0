import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { calculateLine } from '#perf/contract/calc.ts';
import { valueAt } from '#perf/landing/check.ts';
import { flapOf } from '#perf/landing/profile-lookup.ts';
import { vref } from '#perf/landing/speeds.ts';
import { dispatchCase, inflightCase, isaC, modePoints } from '../build.ts';
import { requiredDistance } from '../field-limit.ts';
import type { Dataset, Point } from '../types.ts';

const MODES = ['MAN', 'MED', 'LO'];
type Three = [number, number, number];

/** Reference distances at 68 t, sea level, ISA (m): code, reversers, then CONF FULL and CONF 3. */
const REFERENCE: [number, number, Three, Three][] = [
  [6, 0, [1060, 1330, 1860], [1210, 1510, 2160]],
  [5, 0, [1320, 1380, 1860], [1570, 1630, 2160]],
  [3, 0, [1760, 1810, 1960], [2050, 2100, 2270]],
  [1, 0, [2760, 2790, 2830], [3250, 3280, 3330]],
  [6, 2, [1060, 1330, 1860], [1190, 1510, 2140]],
  [5, 2, [1280, 1380, 1860], [1510, 1590, 2140]],
  [3, 2, [1580, 1610, 1880], [1790, 1820, 2130]],
  [1, 2, [2020, 2030, 2070], [2270, 2300, 2330]],
];

const reference: Point[] = REFERENCE.flatMap(([code, reversers, full, three]) => [
  ...modePoints(
    'reference 68 t',
    `FULL code ${code} rev ${reversers}`,
    inflightCase(68_000, code, { flap: 'FULL', reversers }),
    MODES,
    full,
  ),
  ...modePoints(
    'reference 68 t',
    `CONF 3 code ${code} rev ${reversers}`,
    inflightCase(68_000, code, { flap: '3', reversers }),
    MODES,
    three,
  ),
]);

/** Codes 4 and 2 from the published ratio of the ground roll to the dry one (CONF FULL, maximum manual). */
const between: Point[] = (
  [
    [4, 1.878],
    [2, 2.497],
  ] as const
).flatMap(([code, ratio]) =>
  modePoints(
    'codes 4 and 2 by roll ratio',
    `FULL code ${code}`,
    inflightCase(68_000, code, { flap: 'FULL', reversers: 0 }),
    ['MAN'],
    [469 + 591 * ratio],
    1.5,
  ),
);

/** Weight, dry, no reversers: kg, CONF FULL, CONF 3. */
const WEIGHT: [number, Three, Three][] = [
  [46000, [840, 1110, 1640], [990, 1290, 1940]],
  [52000, [900, 1170, 1700], [1050, 1350, 2000]],
  [56000, [940, 1210, 1740], [1090, 1390, 2040]],
  [62000, [1000, 1270, 1800], [1150, 1450, 2100]],
  [67400, [1054, 1324, 1854], [1204, 1504, 2154]],
  [72000, [1260, 1450, 2020], [1410, 1670, 2360]],
  [76000, [1460, 1570, 2180], [1610, 1830, 2560]],
  [78000, [1560, 1630, 2260], [1710, 1910, 2660]],
];

const weights: Point[] = WEIGHT.flatMap(([kg, full, three]) => {
  const group = kg <= 68_000 ? 'weight to 68 t, dry' : 'weight above 68 t, dry';
  return [
    ...modePoints(
      group,
      `FULL ${kg}`,
      inflightCase(kg, 6, { flap: 'FULL', reversers: 0 }),
      MODES,
      full,
      kg < 50_000 ? 0.8 : 0.5,
    ),
    ...modePoints(group, `CONF 3 ${kg}`, inflightCase(kg, 6, { flap: '3', reversers: 0 }), MODES, three, 0.5),
  ];
});

/** Weight by runway code, CONF FULL: kg, code, distances. */
const WEIGHT_CODE: [number, number, Three][] = [
  [52000, 5, [1160, 1220, 1700]],
  [52000, 3, [1600, 1650, 1800]],
  [52000, 1, [2440, 2470, 2510]],
  [62000, 5, [1260, 1320, 1800]],
  [62000, 3, [1700, 1750, 1900]],
  [62000, 1, [2640, 2670, 2710]],
  [72000, 5, [1520, 1580, 2020]],
  [72000, 3, [1920, 1970, 2120]],
  [72000, 1, [3000, 3030, 3070]],
];

const weightCodes = WEIGHT_CODE.flatMap(([kg, code, row]) =>
  modePoints(
    'weight by runway code',
    `${kg} code ${code}`,
    inflightCase(kg, code, { flap: 'FULL', reversers: 0 }),
    MODES,
    row,
    0.5,
  ),
);

type Row = [number, number, Three];
const table = (
  group: string,
  rows: Row[],
  input: (code: number, value: number) => ReturnType<typeof inflightCase>,
): Point[] =>
  rows.flatMap(([code, value, row]) =>
    modePoints(group, `code ${code} ${value}`, input(code, value), MODES, row, 0),
  );

const FULL = { flap: 'FULL', reversers: 0 };
const speed = table(
  'speed increment',
  [
    [6, 5, [1130, 1420, 1990]],
    [6, 10, [1200, 1510, 2120]],
    [6, 20, [1340, 1690, 2380]],
    [5, 5, [1430, 1490, 1990]],
    [5, 10, [1540, 1600, 2120]],
    [5, 20, [1760, 1820, 2380]],
    [3, 5, [1860, 1920, 2090]],
    [3, 10, [1960, 2030, 2220]],
    [3, 20, [2160, 2250, 2480]],
    [1, 5, [2900, 2920, 2970]],
    [1, 10, [3040, 3050, 3110]],
    [1, 20, [3320, 3310, 3390]],
  ],
  (code, kt) => inflightCase(68_000, code, { ...FULL, vAppAdditiveKt: kt }),
);
const altitude = table(
  'pressure altitude, ISA',
  [
    [6, 2000, [1140, 1430, 2000]],
    [6, 6000, [1300, 1630, 2280]],
    [6, 9200, [1428, 1790, 2504]],
    [5, 2000, [1460, 1520, 2000]],
    [5, 6000, [1740, 1800, 2280]],
    [5, 9200, [1964, 2024, 2504]],
    [3, 2000, [1900, 1950, 2100]],
    [3, 6000, [2180, 2230, 2380]],
    [3, 9200, [2404, 2454, 2604]],
  ],
  (code, feet) => inflightCase(68_000, code, FULL, { temperatureC: isaC(feet) }, { elevationFt: feet }),
);
const temperature = table(
  'temperature',
  [
    [6, 25, [1090, 1370, 1930]],
    [6, 35, [1120, 1410, 2000]],
    [6, 45, [1150, 1450, 2070]],
    [5, 25, [1380, 1440, 1930]],
    [5, 45, [1500, 1560, 2070]],
    [3, 25, [1820, 1870, 2030]],
    [3, 45, [1940, 1990, 2170]],
  ],
  (code, temperatureC) => inflightCase(68_000, code, FULL, { temperatureC }),
);
const wind = table(
  'wind along the runway',
  [
    [6, 20, [1060, 1330, 1860]],
    [6, 10, [1060, 1330, 1860]],
    [6, -5, [1190, 1470, 2060]],
    [6, -10, [1320, 1610, 2260]],
    [6, -15, [1450, 1750, 2460]],
    [5, 10, [1320, 1380, 1860]],
    [5, -5, [1520, 1580, 2060]],
    [5, -10, [1720, 1780, 2260]],
    [5, -15, [1920, 1980, 2460]],
    [3, 10, [1760, 1810, 1960]],
    [3, -5, [1980, 2040, 2200]],
    [3, -15, [2420, 2500, 2680]],
    [1, 10, [2760, 2790, 2830]],
    [1, -5, [3190, 3230, 3270]],
    [1, -15, [4050, 4110, 4150]],
  ],
  (code, headwindKt) => inflightCase(68_000, code, FULL, { headwindKt }),
);
const slope = table(
  'slope',
  [
    [6, -2, [1100, 1350, 1920]],
    [6, -1, [1080, 1340, 1890]],
    [6, 1, [1060, 1330, 1860]],
    [5, -2, [1420, 1480, 1920]],
    [5, -1, [1370, 1430, 1890]],
    [3, -2, [1980, 2030, 2160]],
    [3, -1, [1870, 1920, 2060]],
    [1, -1, [3220, 3260, 3300]],
    [1, -0.5, [2990, 3025, 3065]],
  ],
  (code, slopePercent) => inflightCase(68_000, code, FULL, {}, { slopePercent }),
);
const autoland = [
  ...modePoints(
    'autoland',
    'FULL 5',
    inflightCase(68_000, 5, { ...FULL, autoland: true }),
    MODES,
    [1710, 1770, 2270],
    0,
  ),
  ...modePoints(
    'autoland',
    'FULL 3',
    inflightCase(68_000, 3, { ...FULL, autoland: true }),
    MODES,
    [2140, 2200, 2370],
    0,
  ),
  ...modePoints(
    'autoland',
    'CONF 3 5',
    inflightCase(68_000, 5, { flap: '3', reversers: 0, autoland: true }),
    MODES,
    [1940, 2000, 2550],
    0,
  ),
  ...modePoints(
    'autoland',
    'CONF 3 3',
    inflightCase(68_000, 3, { flap: '3', reversers: 0, autoland: true }),
    MODES,
    [2410, 2460, 2660],
    0,
  ),
];

/** VLS (kt) by weight (t), CONF FULL then CONF 3. */
const VLS: [number, number, number][] = [
  [50, 116, 124],
  [55, 120, 130],
  [60, 125, 136],
  [65, 130, 141],
  [70, 135, 146],
  [75, 139, 151],
  [80, 143, 155],
];
const speeds: Point[] = VLS.flatMap(([tonnes, full, three]) =>
  (
    [
      ['FULL', full],
      ['3', three],
    ] as const
  ).map(([flap, kt]) => ({
    group: 'VLS',
    name: `${flap} ${tonnes} t`,
    expected: kt,
    error: 'kt' as const,
    weight: 1,
    evaluate: (profile: AircraftProfile) => vref(flapOf(profile, flap), tonnes * 1000),
  })),
);

/** Required landing distance (m) at dispatch by weight (t): state, flap, values; no reverse, VAPP = VLS. */
const TONNES = [46, 54, 58, 66];
const RLD: [string, string, number[], number][] = [
  ['DRY', 'FULL', [1170, 1270, 1330, 1500], 1],
  ['WET', 'FULL', [1340, 1460, 1530, 1730], 1],
  ['COMPACTED_SNOW', 'FULL', [1370, 1540, 1620, 1780], 0],
  ['DRY_SNOW', 'FULL', [1530, 1720, 1810, 1990], 0],
  ['STANDING_WATER', 'FULL', [1410, 1590, 1700, 1950], 0.5],
  ['DRY', '3', [1250, 1360, 1430, 1670], 1],
  ['WET', '3', [1430, 1570, 1640, 1920], 1],
  ['STANDING_WATER', '3', [1550, 1770, 1910, 2220], 0],
];

type Extra = Partial<Record<'weather' | 'runway' | 'configuration', Record<string, unknown>>>;

function required(
  state: string,
  flap: string,
  tonnes: number,
  expected: number,
  weight: number,
  extra: Extra = {},
): Point {
  const { weather = {}, runway = {}, configuration = {} } = extra;
  const input = dispatchCase(
    4000,
    state,
    { flap, reversers: 0, ...configuration },
    { temperatureC: 15, ...weather },
    runway,
  );
  const deep = { ...input, runwayCondition: { state, depthMm: 6.3 } };
  return {
    group: state === 'DRY' || state === 'WET' ? 'dispatch RLD, dry and wet' : 'dispatch RLD, contaminated',
    name: `${state} ${flap} ${tonnes} t`,
    expected,
    error: 'percent',
    weight,
    evaluate: (profile) => requiredDistance(profile, deep, tonnes * 1000),
  };
}

const rld: Point[] = [
  ...RLD.flatMap(([state, flap, values, weight]) =>
    values.map((m, i) => required(state, flap, TONNES[i] ?? 0, m, weight)),
  ),
  required('DRY', 'FULL', 58, 1600, 2, {
    weather: { headwindKt: -5, temperatureC: isaC(2000) },
    runway: { elevationFt: 2000 },
  }),
  required('STANDING_WATER', 'FULL', 58, 1800, 0, {
    weather: { temperatureC: isaC(2000) },
    runway: { elevationFt: 2000 },
    configuration: { reversers: 'ALL' },
  }),
];

/** Distance factor on the CONF FULL distance without autobrake (QRH rev 36, first table). */
const FACTORS: [string, string, number][] = [
  ['SEC_1_2', 'FULL', 1.1],
  ['SEC_1_2_3', '3', 1.4],
  ['FLAPS_SLATS_ZERO', 'FULL', 1.7],
  ['FLAPS_LT1_SLATS_LT1', '3', 1.6],
  ['FLAPS_LT1_SLATS_GE1', '3', 1.35],
  ['FLAPS_1_2_SLATS_LT1', '3', 1.4],
  ['FLAPS_1_2_SLATS_GE1', '3', 1.2],
  ['FLAPS_2_3_SLATS_GE1', '3', 1.15],
  ['FLAPS_3_SLATS_1_3', '3', 1.15],
  ['HYD_ONE', 'FULL', 1.1],
  ['HYD_G_B', '3', 1.5],
  ['HYD_G_Y', '3', 2.3],
  ['HYD_Y_B', 'FULL', 1.1],
  ['ANTISKID', 'FULL', 1.4],
  ['AUTOBRAKE', 'FULL', 1.2],
  ['IR_1_2_3', '3', 2.1],
  ['DUAL_ADR', '3', 1.2],
  ['REVERSER_UNLOCKED_BUFFET', '3', 1.2],
];
const plain = { flap: 'FULL', reversers: 0, autobrake: 'MAN' };
const manualDistance = (profile: AircraftProfile, input: ReturnType<typeof inflightCase>): number =>
  valueAt(calculateLine(profile, input), 'modes.MAN.actualDistanceM') ?? Number.NaN;

const factors: Point[] = FACTORS.map(([value, flap, factor]) => ({
  group: 'non-normal factors, dry',
  name: value,
  expected: factor,
  error: 'percent' as const,
  weight: 1,
  evaluate: (profile: AircraftProfile) =>
    manualDistance(profile, inflightCase(64_000, 6, { ...plain, flap, nonNormalCondition: value })) /
    manualDistance(profile, inflightCase(64_000, 6, plain)),
}));

const delays = MODES.map((mode) => `autobrakes/${mode}/delayS`);
const codes = ['1', '2', '3', '4'].map((code) => `braking/friction/${code}/mu`);

const dataset: Dataset = {
  sources: [
    'In flight: A320-251N quick reference handbook distances, computed with an open calculator (FULL and CONF 3)',
    'Codes 4 and 2: ratios of ground rolls published with an open landing calculator',
    'Dispatch: A320 FCOM required landing distances',
    'VLS: A320-251N table of 5 t steps',
  ],
  points: [
    ...reference,
    ...between,
    ...weights,
    ...weightCodes,
    ...speed,
    ...altitude,
    ...temperature,
    ...wind,
    ...slope,
    ...autoland,
    ...speeds,
    ...rld,
    ...factors,
  ],
  stages: [
    {
      groups: ['VLS'],
      parameters: ['FULL', '3'].flatMap((flap) => [
        { path: `flaps/${flap}/vref/ktPerSqrtTonne`, min: 13, max: 22 },
        { path: `flaps/${flap}/vref/exponent`, min: 0.42, max: 0.55 },
      ]),
    },
    {
      groups: ['reference', 'codes', 'weight', 'pressure'],
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
        { path: 'thrust/reverse/cutSpeedKt', min: 30, max: 75 },
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
        { path: 'calibration/manualOverweightPerTonne', min: 0, max: 0.06 },
      ],
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
      parameters: FACTORS.map(([value]) => ({
        path: `nonNormal/${value}/effect/distanceFactor`,
        min: 0.8,
        max: 2,
      })),
    },
    {
      groups: ['dispatch RLD, contaminated'],
      parameters: [{ path: 'braking/contaminantWidthM', min: 0, max: 4 }],
    },
  ],
  rising: [delays],
};

export default dataset;
