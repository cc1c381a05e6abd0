import { inflightCase, isaC, modePoints } from '../build.ts';
import type { Point } from '../types.ts';

const modes = ['MAN', 'MED', 'LO'];
type Three = [number, number, number];

/** Reference distances at 68 t, sea level, ISA (m): code, reversers, then CONF FULL and CONF 3. */
const referenceRows: [number, number, Three, Three][] = [
  [6, 0, [1060, 1330, 1860], [1210, 1510, 2160]],
  [5, 0, [1320, 1380, 1860], [1570, 1630, 2160]],
  [3, 0, [1760, 1810, 1960], [2050, 2100, 2270]],
  [1, 0, [2760, 2790, 2830], [3250, 3280, 3330]],
  [6, 2, [1060, 1330, 1860], [1190, 1510, 2140]],
  [5, 2, [1280, 1380, 1860], [1510, 1590, 2140]],
  [3, 2, [1580, 1610, 1880], [1790, 1820, 2130]],
  [1, 2, [2020, 2030, 2070], [2270, 2300, 2330]],
];

const reference: Point[] = referenceRows.flatMap(([code, reversers, full, three]) => [
  ...modePoints(
    'reference 68 t',
    `FULL code ${code} rev ${reversers}`,
    inflightCase(68_000, code, { flap: 'FULL', reversers }),
    modes,
    full,
  ),
  ...modePoints(
    'reference 68 t',
    `CONF 3 code ${code} rev ${reversers}`,
    inflightCase(68_000, code, { flap: '3', reversers }),
    modes,
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
const weightRows: [number, Three, Three][] = [
  [46000, [840, 1110, 1640], [990, 1290, 1940]],
  [52000, [900, 1170, 1700], [1050, 1350, 2000]],
  [56000, [940, 1210, 1740], [1090, 1390, 2040]],
  [62000, [1000, 1270, 1800], [1150, 1450, 2100]],
  [67400, [1054, 1324, 1854], [1204, 1504, 2154]],
  [72000, [1260, 1450, 2020], [1410, 1670, 2360]],
  [76000, [1460, 1570, 2180], [1610, 1830, 2560]],
  [78000, [1560, 1630, 2260], [1710, 1910, 2660]],
];

const weights: Point[] = weightRows.flatMap(([kg, full, three]) => {
  const group = kg <= 68_000 ? 'weight to 68 t, dry' : 'weight above 68 t, dry';
  return [
    ...modePoints(
      group,
      `FULL ${kg}`,
      inflightCase(kg, 6, { flap: 'FULL', reversers: 0 }),
      modes,
      full,
      kg < 50_000 ? 0.8 : 0.5,
    ),
    ...modePoints(group, `CONF 3 ${kg}`, inflightCase(kg, 6, { flap: '3', reversers: 0 }), modes, three, 0.5),
  ];
});

/** Weight by runway code, CONF FULL: kg, code, distances. */
const weightCode: [number, number, Three][] = [
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

const weightCodes = weightCode.flatMap(([kg, code, row]) =>
  modePoints(
    'weight by runway code',
    `${kg} code ${code}`,
    inflightCase(kg, code, { flap: 'FULL', reversers: 0 }),
    modes,
    row,
    0.5,
  ),
);

type Row = [number, number, Three];
const table = (
  group: string,
  rows: Row[],
  input: (code: number, value: number) => ReturnType<typeof inflightCase>,
  weight = 0,
): Point[] =>
  rows.flatMap(([code, value, row]) =>
    modePoints(group, `code ${code} ${value}`, input(code, value), modes, row, weight),
  );

const fullRows = { flap: 'FULL', reversers: 0 };
const speed = table(
  'speed increment',
  [
    [6, 5, [1130, 1420, 1990]],
    [6, 10, [1200, 1510, 2120]],
    [6, 15, [1270, 1600, 2250]],
    [6, 20, [1340, 1690, 2380]],
    [5, 5, [1430, 1490, 1990]],
    [5, 10, [1540, 1600, 2120]],
    [5, 15, [1650, 1710, 2250]],
    [5, 20, [1760, 1820, 2380]],
    [3, 5, [1860, 1920, 2090]],
    [3, 10, [1960, 2030, 2220]],
    [3, 15, [2060, 2140, 2350]],
    [3, 20, [2160, 2250, 2480]],
    [1, 5, [2900, 2920, 2970]],
    [1, 10, [3040, 3050, 3110]],
    [1, 15, [3180, 3180, 3250]],
    [1, 20, [3320, 3310, 3390]],
  ],
  (code, kt) => inflightCase(68_000, code, { ...fullRows, vAppAdditiveKt: kt }),
);
const altitude = table(
  'pressure altitude, ISA',
  [
    [6, 1000, [1100, 1380, 1930]],
    [6, 2000, [1140, 1430, 2000]],
    [6, 4000, [1220, 1530, 2140]],
    [6, 6000, [1300, 1630, 2280]],
    [6, 8000, [1380, 1730, 2420]],
    [6, 9200, [1428, 1790, 2504]],
    [5, 1000, [1390, 1450, 1930]],
    [5, 2000, [1460, 1520, 2000]],
    [5, 4000, [1600, 1660, 2140]],
    [5, 6000, [1740, 1800, 2280]],
    [5, 8000, [1880, 1940, 2420]],
    [5, 9200, [1964, 2024, 2504]],
    [3, 1000, [1830, 1880, 2030]],
    [3, 2000, [1900, 1950, 2100]],
    [3, 4000, [2040, 2090, 2240]],
    [3, 6000, [2180, 2230, 2380]],
    [3, 8000, [2320, 2370, 2520]],
    [3, 9200, [2404, 2454, 2604]],
  ],
  (code, feet) => inflightCase(68_000, code, fullRows, { temperatureC: isaC(feet) }, { elevationFt: feet }),
);
const temperature = table(
  'temperature',
  [
    [6, -15, [1060, 1330, 1860]],
    [6, 0, [1060, 1330, 1860]],
    [6, 15, [1060, 1330, 1860]],
    [6, 25, [1090, 1370, 1930]],
    [6, 35, [1120, 1410, 2000]],
    [6, 45, [1150, 1450, 2070]],
    [5, -15, [1320, 1380, 1860]],
    [5, 0, [1320, 1380, 1860]],
    [5, 15, [1320, 1380, 1860]],
    [5, 25, [1380, 1440, 1930]],
    [5, 35, [1440, 1500, 2000]],
    [5, 45, [1500, 1560, 2070]],
    [3, -15, [1760, 1810, 1960]],
    [3, 0, [1760, 1810, 1960]],
    [3, 15, [1760, 1810, 1960]],
    [3, 25, [1820, 1870, 2030]],
    [3, 35, [1880, 1930, 2100]],
    [3, 45, [1940, 1990, 2170]],
  ],
  (code, temperatureC) => inflightCase(68_000, code, fullRows, { temperatureC }),
);
const wind = table(
  'wind along the runway',
  [
    [6, 20, [1060, 1330, 1860]],
    [6, 10, [1060, 1330, 1860]],
    [6, 5, [1060, 1330, 1860]],
    [6, -5, [1190, 1470, 2060]],
    [6, -10, [1320, 1610, 2260]],
    [6, -15, [1450, 1750, 2460]],
    [5, 20, [1320, 1380, 1860]],
    [5, 10, [1320, 1380, 1860]],
    [5, 5, [1320, 1380, 1860]],
    [5, -5, [1520, 1580, 2060]],
    [5, -10, [1720, 1780, 2260]],
    [5, -15, [1920, 1980, 2460]],
    [3, 20, [1760, 1810, 1960]],
    [3, 10, [1760, 1810, 1960]],
    [3, 5, [1760, 1810, 1960]],
    [3, -5, [1980, 2040, 2200]],
    [3, -10, [2200, 2270, 2440]],
    [3, -15, [2420, 2500, 2680]],
    [1, 20, [2760, 2790, 2830]],
    [1, 10, [2760, 2790, 2830]],
    [1, 5, [2760, 2790, 2830]],
    [1, -5, [3190, 3230, 3270]],
    [1, -10, [3620, 3670, 3710]],
    [1, -15, [4050, 4110, 4150]],
  ],
  (code, headwindKt) => inflightCase(68_000, code, fullRows, { headwindKt }),
);
const slope = table(
  'slope, other',
  [
    [6, -0.5, [1070, 1335, 1875]],
    [6, 0.5, [1060, 1330, 1860]],
    [6, 1, [1060, 1330, 1860]],
    [6, 2, [1060, 1330, 1860]],
    [5, -0.5, [1345, 1405, 1875]],
    [5, 0.5, [1320, 1380, 1860]],
    [5, 1, [1320, 1380, 1860]],
    [5, 2, [1320, 1380, 1860]],
    [3, -0.5, [1815, 1865, 2010]],
    [3, 0.5, [1760, 1810, 1960]],
    [3, 1, [1760, 1810, 1960]],
    [3, 2, [1760, 1810, 1960]],
    [1, -0.5, [2990, 3025, 3065]],
    [1, 0.5, [2760, 2790, 2830]],
    [1, 1, [2760, 2790, 2830]],
    [1, 2, [2760, 2790, 2830]],
  ],
  (code, slopePercent) => inflightCase(68_000, code, fullRows, {}, { slopePercent }),
);
/** One and two percent downhill: fits how much these envelopes exceed the force of gravity. */
const downhill = table(
  'slope, 1 and 2 % downhill',
  [
    [6, -2, [1100, 1350, 1920]],
    [5, -2, [1420, 1480, 1920]],
    [3, -2, [1980, 2030, 2160]],
    [1, -2, [3680, 3730, 3770]],
    [6, -1, [1080, 1340, 1890]],
    [5, -1, [1370, 1430, 1890]],
    [3, -1, [1870, 1920, 2060]],
    [1, -1, [3220, 3260, 3300]],
  ],
  (code, slopePercent) => inflightCase(68_000, code, fullRows, {}, { slopePercent }),
  0.5,
);
const autoland = [
  ...modePoints(
    'autoland',
    'FULL 5',
    inflightCase(68_000, 5, { ...fullRows, autoland: true }),
    modes,
    [1710, 1770, 2270],
    0,
  ),
  ...modePoints(
    'autoland',
    'FULL 3',
    inflightCase(68_000, 3, { ...fullRows, autoland: true }),
    modes,
    [2140, 2200, 2370],
    0,
  ),
  ...modePoints(
    'autoland',
    'CONF 3 5',
    inflightCase(68_000, 5, { flap: '3', reversers: 0, autoland: true }),
    modes,
    [1940, 2000, 2550],
    0,
  ),
  ...modePoints(
    'autoland',
    'CONF 3 3',
    inflightCase(68_000, 3, { flap: '3', reversers: 0, autoland: true }),
    modes,
    [2410, 2460, 2660],
    0,
  ),
];

/** All in-flight points of the A320-251N. */
export const inflightPoints: Point[] = [
  ...reference,
  ...between,
  ...weights,
  ...weightCodes,
  ...speed,
  ...altitude,
  ...temperature,
  ...wind,
  ...downhill,
  ...slope,
  ...autoland,
];
