import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { flapOf } from '#perf/landing/profile-lookup.ts';
import { vref } from '#perf/landing/speeds.ts';
import { inflightCase, modePoints } from '../build.ts';
import type { Point } from '../types.ts';
import { metresPerFt, kgPerKlb, assumedSlopePercent } from './common.ts';

const brakeModes = ['MAX_MAN', 'MAX_AUTO', '3', '2', '1'] as const;
const codes = { dry: 6, good: 5, medium: 3, poor: 1 } as const;
type Action = keyof typeof codes;
/** Landing distances in feet, 737-800 card of 24 Jan 2020: braking action, brakes, then 106, 126, 146.3, 174.2 klb. */
const card: Record<'30' | '40', [Action, (typeof brakeModes)[number], number, number, number, number][]> = {
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
const cardKlb = [106, 126, 146.3, 174.2];

export const inflightPoints = (slopePercent = assumedSlopePercent): Point[] => {
  const points: Point[] = [];
  for (const flap of ['30', '40'] as const) {
    for (const [i, klb] of cardKlb.entries()) {
      for (const action of ['dry', 'good', 'medium', 'poor'] as const) {
        const rows = card[flap].filter((row) => row[0] === action);
        const input = inflightCase(
          klb * kgPerKlb,
          codes[action],
          { flap, vAppAdditiveKt: 5 },
          {},
          { slopePercent },
        );
        const metres = rows.map((row) => (row[2 + i] as number) * metresPerFt);
        const modes = rows.map((row) => row[1]);
        points.push(...modePoints(`in flight, ${action}`, `F${flap} ${klb} klb`, input, modes, metres));
      }
    }
  }
  return points;
};

/** Codes 4 and 2, which the card omits: the mean of their neighbours, as in its calculator. */
export const betweenPoints = (): Point[] => {
  const pairs: [number, Action, Action][] = [
    [4, 'good', 'medium'],
    [2, 'medium', 'poor'],
  ];
  return pairs.flatMap(([code, better, worse]) =>
    cardKlb.flatMap((klb, i) => {
      const of = (action: Action, mode: string): number =>
        (card['40'].find((row) => row[0] === action && row[1] === mode)?.[2 + i] as number | undefined) ??
        Number.NaN;
      const modes = ['MAX_AUTO', '3', '1'];
      const metres = modes.map((mode) => 0.5 * (of(better, mode) + of(worse, mode)) * metresPerFt);
      const input = inflightCase(klb * kgPerKlb, code, { flap: '40', vAppAdditiveKt: 5 });
      return modePoints(
        'in flight, codes 4 and 2 between neighbours',
        `F40 ${klb} klb code ${code}`,
        input,
        modes,
        metres,
      );
    }),
  );
};

/**
 * Feet added with one and with both reversers inoperative, flaps 30 (the card gives no weight; 146.3 klb is
 * assumed).
 */
const reverser: [Action, [number, number][]][] = [
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

export const reverserPoints = (): Point[] =>
  reverser.flatMap(([action, rows]) =>
    ([1, 0] as const).flatMap((operating) => {
      const input = inflightCase(
        146.3 * kgPerKlb,
        codes[action],
        { flap: '30', vAppAdditiveKt: 5, reversers: operating },
        {},
        { slopePercent: assumedSlopePercent },
      );
      const metres = brakeModes.map((mode, i) => {
        const base = card['30'].find((row) => row[0] === action && row[1] === mode);
        const add = rows[i]?.[operating === 1 ? 0 : 1];
        return base && add !== undefined ? (base[4] + add) * metresPerFt : null;
      });
      return modePoints(
        'in flight, reversers inoperative',
        `${action} ${operating} operating`,
        input,
        brakeModes,
        metres,
        0.5,
      );
    }),
  );

/** VREF in kt from 90 to 180 klb in steps of 10. */
const vrefRows = {
  '15': [122, 129, 135, 142, 148, 154, 159, 164, 169, 174],
  '30': [116, 123, 129, 135, 141, 146, 151, 156, 160, 165],
  '40': [109, 116, 122, 128, 133, 139, 144, 148, 153, 157],
};

export const vrefPoints = (): Point[] =>
  Object.entries(vrefRows).flatMap(([flap, values]) =>
    values.map((kt, i) => ({
      group: 'VREF',
      name: `F${flap} ${90 + 10 * i} klb`,
      expected: kt,
      error: 'kt' as const,
      weight: 1,
      evaluate: (profile: AircraftProfile) => vref(flapOf(profile, flap), (90 + 10 * i) * kgPerKlb),
    })),
  );
