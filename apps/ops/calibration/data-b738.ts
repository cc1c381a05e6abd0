import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { calculateLine } from '#perf/contract/calc.ts';
import { aloft, atmosphere } from '#perf/kernel/atmosphere.ts';
import { valueAt } from '#perf/landing/check.ts';
import { referenceEnergy } from '#perf/landing/energy.ts';
import { goAroundGradient } from '#perf/landing/gradient.ts';
import { flapOf } from '#perf/landing/profile-lookup.ts';
import { vref } from '#perf/landing/speeds.ts';
import { dispatchCase, inflightCase, isaC, modePoints } from './build.ts';
import { fieldLimit, requiredDistance } from './field-limit.ts';
import type { Point } from './types.ts';

const FT = 0.3048;
const KLB = 453.59237;
const MODES = ['MAX_MAN', 'MAX_AUTO', '3', '2', '1'] as const;
const CODES = { dry: 6, good: 5, medium: 3, poor: 1 } as const;
type Action = keyof typeof CODES;

/**
 * The card's header states 1 % downhill without saying whether the rows contain it. Read as level, the fit gives
 * airplane braking coefficients near 0.2, 0.1 and 0.05 for good, medium and poor, the values the maker teaches, and
 * half the residual; so the rows are read as level.
 */
const SLOPE_PERCENT = 0;

/** Landing distances in feet, 737-800 card of 24 Jan 2020: braking action, brakes, then 106, 126, 146.3, 174.2 klb. */
const CARD: Record<'30' | '40', [Action, (typeof MODES)[number], number, number, number, number][]> = {
  '30': [
    ['dry', 'MAX_MAN', 2720, 3040, 3370, 3840],
    ['dry', 'MAX_AUTO', 3420, 3820, 4230, 4730],
    ['dry', '3', 4730, 5390, 6050, 6860],
    ['dry', '2', 5890, 6790, 7700, 8840],
    ['dry', '1', 6460, 7520, 8590, 9960],
    ['good', 'MAX_MAN', 3770, 4230, 4690, 5310],
    ['good', 'MAX_AUTO', 4000, 4500, 5000, 5650],
    ['good', '3', 4770, 5430, 6090, 6900],
    ['good', '2', 5890, 6790, 7700, 8840],
    ['good', '1', 6460, 7520, 8590, 9960],
    ['medium', 'MAX_AUTO', 5190, 5930, 6680, 7660],
    ['medium', '3', 5420, 6180, 6950, 7930],
    ['medium', '1', 6570, 7630, 8700, 10070],
    ['poor', 'MAX_AUTO', 6860, 7860, 8880, 10270],
    ['poor', '3', 6880, 7900, 8930, 10320],
    ['poor', '1', 7420, 8560, 9720, 11220],
  ],
  '40': [
    ['dry', 'MAX_MAN', 2620, 2920, 3230, 3670],
    ['dry', 'MAX_AUTO', 3230, 3590, 3960, 4400],
    ['dry', '3', 4390, 4990, 5600, 6320],
    ['dry', '2', 5470, 6310, 7150, 8190],
    ['dry', '1', 6040, 7020, 8010, 9270],
    ['good', 'MAX_MAN', 3630, 4070, 4510, 5070],
    ['good', 'MAX_AUTO', 3820, 4300, 4780, 5400],
    ['good', '3', 4460, 5060, 5670, 6390],
    ['good', '2', 5470, 6310, 7150, 8190],
    ['good', '1', 6040, 7020, 8010, 9270],
    ['medium', 'MAX_MAN', 4880, 5560, 6250, 7140],
    ['medium', 'MAX_AUTO', 4940, 5640, 6350, 7270],
    ['medium', '3', 5100, 5820, 6550, 7470],
    ['medium', '1', 6170, 7150, 8140, 9400],
    ['poor', 'MAX_AUTO', 6510, 7470, 8440, 9730],
    ['poor', '3', 6550, 7510, 8490, 9800],
    ['poor', '1', 7000, 8080, 9170, 10560],
  ],
};
const CARD_KLB = [106, 126, 146.3, 174.2];

export function inflightPoints(slopePercent = SLOPE_PERCENT): Point[] {
  const points: Point[] = [];
  for (const flap of ['30', '40'] as const) {
    for (const [i, klb] of CARD_KLB.entries()) {
      for (const action of ['dry', 'good', 'medium', 'poor'] as const) {
        const rows = CARD[flap].filter((row) => row[0] === action);
        const input = inflightCase(
          klb * KLB,
          CODES[action],
          { flap, vAppAdditiveKt: 5 },
          {},
          { slopePercent },
        );
        const metres = rows.map((row) => (row[2 + i] as number) * FT);
        const modes = rows.map((row) => row[1]);
        points.push(...modePoints(`in flight, ${action}`, `F${flap} ${klb} klb`, input, modes, metres));
      }
    }
  }
  return points;
}

/** Codes 4 and 2, which the card leaves out: the mean of their neighbours, as its own calculator takes them. */
export function betweenPoints(): Point[] {
  const pairs: [number, Action, Action][] = [
    [4, 'good', 'medium'],
    [2, 'medium', 'poor'],
  ];
  return pairs.flatMap(([code, better, worse]) =>
    CARD_KLB.flatMap((klb, i) => {
      const of = (action: Action, mode: string): number =>
        (CARD['40'].find((row) => row[0] === action && row[1] === mode)?.[2 + i] as number | undefined) ??
        Number.NaN;
      const modes = ['MAX_AUTO', '3', '1'];
      const metres = modes.map((mode) => 0.5 * (of(better, mode) + of(worse, mode)) * FT);
      const input = inflightCase(klb * KLB, code, { flap: '40', vAppAdditiveKt: 5 });
      return modePoints(
        'in flight, codes 4 and 2 between neighbours',
        `F40 ${klb} klb code ${code}`,
        input,
        modes,
        metres,
      );
    }),
  );
}

/** Feet added with one and with both reversers inoperative, flaps 30 (the card states no weight; taken at 146.3 klb). */
const REVERSER: [Action, [number, number][]][] = [
  [
    'dry',
    [
      [70, 140],
      [0, 10],
      [0, 0],
      [200, 200],
      [640, 950],
    ],
  ],
  [
    'good',
    [
      [230, 510],
      [250, 560],
      [10, 50],
      [200, 200],
      [640, 950],
    ],
  ],
  [
    'medium',
    [
      [620, 1480],
      [620, 1490],
      [460, 1340],
      [340, 730],
      [690, 1140],
    ],
  ],
  [
    'poor',
    [
      [1310, 3430],
      [1310, 3440],
      [1320, 3460],
      [1090, 3030],
      [1240, 3050],
    ],
  ],
];

export function reverserPoints(): Point[] {
  return REVERSER.flatMap(([action, rows]) =>
    ([1, 0] as const).flatMap((operating) => {
      const input = inflightCase(
        146.3 * KLB,
        CODES[action],
        { flap: '30', vAppAdditiveKt: 5, reversers: operating },
        {},
        { slopePercent: SLOPE_PERCENT },
      );
      const metres = MODES.map((mode, i) => {
        const base = CARD['30'].find((row) => row[0] === action && row[1] === mode);
        const add = rows[i]?.[operating === 1 ? 0 : 1];
        return base && add !== undefined ? (base[4] + add) * FT : null;
      });
      return modePoints(
        'in flight, reversers inoperative',
        `${action} ${operating} operating`,
        input,
        MODES,
        metres,
        0.5,
      );
    }),
  );
}

/** VREF in kt from 90 to 180 klb in steps of 10. */
const VREF = {
  '15': [122, 129, 135, 142, 148, 154, 159, 164, 169, 174],
  '30': [116, 123, 129, 135, 141, 146, 151, 156, 160, 165],
  '40': [109, 116, 122, 128, 133, 139, 144, 148, 153, 157],
};

export function vrefPoints(): Point[] {
  return Object.entries(VREF).flatMap(([flap, values]) =>
    values.map((kt, i) => ({
      group: 'VREF',
      name: `F${flap} ${90 + 10 * i} klb`,
      expected: kt,
      error: 'kt' as const,
      weight: 1,
      evaluate: (profile: AircraftProfile) => vref(flapOf(profile, flap), (90 + 10 * i) * KLB),
    })),
  );
}

/** Field limit weight in t by wind-corrected length (m): sea level dry, wet; 4000 ft dry, wet; 8000 ft dry, wet. */
const FIELD: [number, ...(number | null)[]][] = [
  [1200, 46.0, 38.2, 40.9, null, 36.2, null],
  [1400, 55.7, 46.9, 49.9, 41.7, 44.3, 36.9],
  [1600, 63.7, 55.4, 58.1, 49.5, 52.4, 43.9],
  [1800, 72.3, 62.3, 65.2, 56.8, 59.3, 51.0],
  [2000, 81.3, 69.6, 73.2, 63.0, 65.8, 57.4],
  [2200, null, 77.4, 81.2, 69.7, 72.9, 62.9],
  [2400, null, null, null, 76.7, 80.1, 68.8],
  [2600, null, null, null, null, null, 75.1],
];

export function fieldPoints(): Point[] {
  return FIELD.flatMap(([lengthM, ...tonnes]) =>
    tonnes.flatMap((t, i) => {
      if (t === null) return [];
      const elevationFt = 4000 * Math.floor(i / 2);
      const state = i % 2 === 0 ? 'DRY' : 'WET';
      const input = dispatchCase(
        lengthM,
        state,
        { flap: '40' },
        { temperatureC: isaC(elevationFt) },
        { elevationFt },
      );
      return [
        {
          group: 'dispatch, field limit weight',
          name: `${lengthM} m ${elevationFt} ft ${state}`,
          expected: t * 1000,
          error: 'percent' as const,
          weight: t < 42 ? 0.3 : 1,
          evaluate: (profile: AircraftProfile) => fieldLimit(profile, input),
        },
      ];
    }),
  );
}

/** The same chart read as required distance of the published weight; judged only. */
export function requiredPoints(): Point[] {
  return FIELD.flatMap(([lengthM, ...tonnes]) =>
    tonnes.flatMap((t, i) => {
      if (t === null || t < 42) return [];
      const elevationFt = 4000 * Math.floor(i / 2);
      const input = dispatchCase(
        lengthM,
        i % 2 === 0 ? 'DRY' : 'WET',
        { flap: '40' },
        { temperatureC: isaC(elevationFt) },
        { elevationFt },
      );
      return [
        {
          group: 'dispatch, required distance',
          name: `${t} t ${elevationFt} ft ${i % 2 === 0 ? 'DRY' : 'WET'}`,
          expected: lengthM,
          error: 'percent' as const,
          weight: 0,
          evaluate: (profile: AircraftProfile) => requiredDistance(profile, input, t * 1000),
        },
      ];
    }),
  );
}

/** Zero-wind length that a length with wind is worth (m). */
const WIND: [number, number, number][] = [
  [1600, -15, 1250],
  [1600, -5, 1480],
  [1600, 10, 1680],
  [1600, 30, 1850],
  [2000, -15, 1610],
  [2000, -10, 1730],
  [2000, -5, 1860],
  [2000, 10, 2090],
  [2000, 20, 2190],
  [2000, 40, 2390],
];

export function windPoints(): Point[] {
  return WIND.map(([lengthM, headwindKt, worth]) => ({
    group: 'dispatch, wind-corrected length',
    name: `${lengthM} m ${headwindKt} kt`,
    expected: worth,
    error: 'percent' as const,
    weight: 0,
    evaluate: (profile: AircraftProfile) => {
      const withWind = fieldLimit(profile, dispatchCase(lengthM, 'DRY', { flap: '40' }, { headwindKt }));
      let low = 500;
      let high = 4000;
      while (high - low > 0.5) {
        const middle = 0.5 * (low + high);
        if (fieldLimit(profile, dispatchCase(middle, 'DRY', { flap: '40' })) < withWind) low = middle;
        else high = middle;
      }
      return 0.5 * (low + high);
    },
  }));
}

/** Climb limit weight (t) at 2.1 %: OAT, then 0, 2000, 4000, 6000, 8000 ft. Derived from the gradient tables. */
export type ClimbRow = [number, ...(number | null)[]];

export function climbPoints(rows: readonly ClimbRow[], group: string, error = 1): Point[] {
  return rows.flatMap(([temperatureC, ...tonnes]) =>
    tonnes.flatMap((t, i) =>
      t === null
        ? []
        : [
            {
              group,
              name: `${temperatureC} C ${2000 * i} ft`,
              expected: t * 1000,
              error: 'kg' as const,
              weight: error,
              input: dispatchCase(4000, 'DRY', { flap: '40' }, { temperatureC }, { elevationFt: 2000 * i }),
              path: 'appClimbLimitKg',
            },
          ],
    ),
  );
}

/** Gradient at 60 t and VREF40 + 5 (percent): OAT, then 0, 4000, 8000, 10000 ft. */
export function gradientPoints(rows: readonly ClimbRow[]): Point[] {
  return rows.flatMap(([celsius, ...values]) =>
    values.flatMap((percent, i) => {
      if (percent === null) return [];
      const feet = [0, 4000, 8000, 10000][i] ?? 0;
      return [
        {
          group: 'go-around gradient, 60 t',
          name: `${celsius} C ${feet} ft`,
          expected: percent,
          error: 'gradient' as const,
          weight: 0.5,
          evaluate: (profile: AircraftProfile) => {
            const air = aloft(atmosphere(feet * FT, celsius + 273.15), 0);
            return goAroundGradient(profile, flapOf(profile, '40'), 60_000, air, 0, 5);
          },
        },
      ];
    }),
  );
}

/** Adjustment of the gradient for weight (t): at references of 2, 4 and 6 %. */
export const WEIGHT_ADJUSTMENT: [number, number, number, number][] = [
  [80, -2.91, -3.47, -3.99],
  [70, -1.69, -2.01, -2.32],
  [65, -0.91, -1.08, -1.24],
  [55, 1.04, 1.25, 1.46],
  [50, 2.27, 2.75, 3.21],
];

/** Quick turnaround limit weight (t): OAT, then 0, 4000, 8000, 10000 ft. */
export function quickTurnPoints(rows: readonly ClimbRow[]): Point[] {
  return rows.flatMap(([temperatureC, ...tonnes]) =>
    tonnes.flatMap((t, i) => {
      if (t === null) return [];
      const elevationFt = [0, 4000, 8000, 10000][i] ?? 0;
      return [
        {
          group: 'quick turnaround limit weight',
          name: `${temperatureC} C ${elevationFt} ft`,
          expected: t * 1000,
          error: 'kg' as const,
          weight: 1,
          input: dispatchCase(4000, 'DRY', { flap: '40' }, { temperatureC }, { elevationFt }),
          path: 'quickTurnWeightKg',
        },
      ];
    }),
  );
}

/** Reference brake energy (million ft-lb): t, C, then 80 100 120 140 160 180 kt as [0, 5000, 10000 ft]. */
const ENERGY: [number, number, ...[number, number, number][]][] = [
  [
    80,
    15,
    [15.8, 17.8, 20.2],
    [23.5, 26.5, 30.3],
    [32.4, 36.7, 42.1],
    [42.4, 48.2, 55.6],
    [53.3, 60.7, 70.5],
    [63.7, 72.9, 85.1],
  ],
  [
    80,
    50,
    [16.6, 18.7, 21.3],
    [24.8, 28.0, 32.1],
    [34.3, 39.0, 44.9],
    [45.2, 51.5, 59.7],
    [57.1, 65.4, 76.3],
    [68.7, 79.0, 92.9],
  ],
  [
    70,
    30,
    [14.9, 16.8, 19.1],
    [22.0, 24.8, 28.3],
    [30.2, 34.1, 39.1],
    [39.3, 44.6, 51.4],
    [49.3, 56.1, 64.9],
    [59.8, 68.2, 79.4],
  ],
  [
    60,
    15,
    [12.9, 14.6, 16.5],
    [18.8, 21.2, 24.2],
    [25.6, 29.0, 33.1],
    [33.2, 37.6, 43.2],
    [41.5, 47.1, 54.4],
    [50.4, 57.4, 66.5],
  ],
  [
    60,
    50,
    [13.5, 15.3, 17.3],
    [19.8, 22.4, 25.5],
    [27.0, 30.6, 35.1],
    [35.2, 40.0, 46.0],
    [44.2, 50.4, 58.3],
    [53.9, 61.7, 71.9],
  ],
  [
    50,
    30,
    [11.9, 13.4, 15.2],
    [17.2, 19.3, 22.0],
    [23.1, 26.1, 29.7],
    [29.7, 33.6, 38.4],
    [36.8, 41.8, 48.0],
    [44.5, 50.6, 58.4],
  ],
  [
    40,
    15,
    [10.1, 11.4, 12.9],
    [14.2, 16.0, 18.1],
    [18.8, 21.2, 24.1],
    [23.9, 27.0, 30.8],
    [29.4, 33.3, 38.2],
    [35.3, 40.0, 46.0],
  ],
];

export function energyPoints(): Point[] {
  return ENERGY.flatMap(([tonnes, celsius, ...speeds]) =>
    speeds.flatMap((cell, s) =>
      cell.map((energy, a) => ({
        group: 'reference brake energy',
        name: `${tonnes} t ${celsius} C ${5000 * a} ft ${80 + 20 * s} kt`,
        expected: energy,
        error: 'percent' as const,
        weight: 0.3,
        evaluate: (profile: AircraftProfile) =>
          referenceEnergy(profile, tonnes * 1000, 80 + 20 * s, atmosphere(5000 * a * FT, celsius + 273.15)),
      })),
    ),
  );
}

/** Non-normal distances in feet, max manual: condition, flap selected, then dry, good, medium, poor at 106, 146.3, 174.2 klb. */
const NON_NORMAL: [string, string, [number, number, number][]][] = [
  [
    'JAMMED_FLIGHT_CONTROLS',
    '15',
    [
      [2780, 3510, 4100],
      [3870, 4870, 5520],
      [5310, 6840, 7880],
      [7090, 9220, 10700],
    ],
  ],
  [
    'LE_FLAPS_TRANSIT',
    '15',
    [
      [3130, 3940, 4590],
      [4410, 5540, 6260],
      [6060, 7790, 8930],
      [8040, 10460, 12140],
    ],
  ],
  [
    'HYD_A_LOSS_30',
    '30',
    [
      [3060, 3750, 4310],
      [4380, 5510, 6230],
      [5950, 7640, 8780],
      [7770, 10150, 11770],
    ],
  ],
  [
    'HYD_A_LOSS_40',
    '40',
    [
      [2950, 3600, 4100],
      [4160, 5250, 5920],
      [5600, 7210, 8270],
      [7340, 9550, 11030],
    ],
  ],
  [
    'MANUAL_REVERSION',
    '15',
    [
      [4540, 5580, 6230],
      [6580, 8310, 9420],
      [8760, 11250, 12930],
      [11310, 14610, 16900],
    ],
  ],
  [
    'TE_FLAP_ASYMMETRY_1_14',
    '15',
    [
      [3090, 3870, 4620],
      [4340, 5340, 5990],
      [5980, 7590, 8650],
      [7990, 10330, 11890],
    ],
  ],
  [
    'TE_FLAP_ASYMMETRY_15_29',
    '15',
    [
      [2780, 3510, 4100],
      [3870, 4870, 5520],
      [5310, 6840, 7880],
      [7090, 9220, 10700],
    ],
  ],
  [
    'TE_FLAP_ASYMMETRY_30',
    '30',
    [
      [2700, 3350, 3820],
      [3740, 4660, 5250],
      [5050, 6460, 7410],
      [6640, 8620, 9960],
    ],
  ],
  [
    'TE_FLAPS_UP',
    '15',
    [
      [3320, 4180, 5100],
      [4550, 5600, 6270],
      [6350, 8040, 9120],
      [8560, 11010, 12660],
    ],
  ],
];

const AIRSPEED_UNRELIABLE: [string, string, number[]][] = [
  ['AIRSPEED_UNRELIABLE_15', '15', [3630, 5040, 7060, 9500]],
  ['AIRSPEED_UNRELIABLE_30', '30', [3470, 4820, 6670, 8880]],
  ['AIRSPEED_UNRELIABLE_40', '40', [3330, 4640, 6380, 8480]],
];

export function nonNormalPoints(weight: number): Point[] {
  const codes = [6, 5, 3, 1];
  const point = (value: string, flap: string, klb: number, code: number, feet: number): Point => ({
    group: 'non-normal conditions',
    name: `${value} ${klb} klb code ${code}`,
    expected: feet * FT,
    error: 'percent',
    weight,
    input: inflightCase(
      klb * KLB,
      code,
      { flap, vAppAdditiveKt: 5, autobrake: 'MAX_MAN', nonNormalCondition: value },
      {},
      { slopePercent: SLOPE_PERCENT },
    ),
    path: 'modes.MAX_MAN.actualDistanceM',
  });
  return [
    ...NON_NORMAL.flatMap(([value, flap, rows]) =>
      rows.flatMap((row, c) =>
        row.map((feet, w) => point(value, flap, [106, 146.3, 174.2][w] ?? 0, codes[c] ?? 6, feet)),
      ),
    ),
    ...AIRSPEED_UNRELIABLE.flatMap(([value, flap, row]) =>
      row.map((feet, c) => point(value, flap, 146.3, codes[c] ?? 6, feet)),
    ),
  ];
}

/** Ratio to the normal distance, max manual: anti-skid inoperative (flaps 30) and one engine inoperative (flaps 15). */
const RATIOS: [string, string, number, number][] = [
  ['ANTISKID_INOP', '30', 6, 1.71],
  ['ANTISKID_INOP', '30', 5, 1.35],
  ['ANTISKID_INOP', '30', 3, 1.35],
  ['ONE_ENGINE_INOP', '15', 6, 1.06],
  ['ONE_ENGINE_INOP', '15', 1, 1.22],
];

export function ratioPoints(): Point[] {
  return RATIOS.map(([value, flap, code, expected]) => {
    const input = (selected: string, nonNormalCondition: string | null) =>
      inflightCase(146.3 * KLB, code, {
        flap: selected,
        vAppAdditiveKt: 5,
        autobrake: 'MAX_MAN',
        nonNormalCondition,
      });
    const metres = (profile: AircraftProfile, line: ReturnType<typeof inflightCase>): number =>
      valueAt(calculateLine(profile, line), 'modes.MAX_MAN.actualDistanceM') ?? Number.NaN;
    return {
      group: 'ratios of anti-skid and engine failure',
      name: `${value} code ${code}`,
      expected,
      error: 'percent' as const,
      weight: value === 'ANTISKID_INOP' ? 1 : 0,
      evaluate: (profile: AircraftProfile) =>
        metres(profile, input(flap, value)) / metres(profile, input('30', null)),
    };
  });
}
