import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { calculateLine } from '#perf/wire/calc.ts';
import { valueAt } from '#perf/check/profile.ts';
import { inflightCase } from '../build.ts';
import type { Point } from '../types.ts';
import { metresPerFt, kgPerKlb, assumedSlopePercent } from './common.ts';

/** Non-normal distances in feet, max manual: condition, flap selected, then dry, good, medium, poor at 106, 146.3, 174.2 klb. */
const nonNormal: [string, string, [number, number, number][]][] = [
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

const airspeedUnreliable: [string, string, number[]][] = [
  ['AIRSPEED_UNRELIABLE_15', '15', [3630, 5040, 7060, 9500]],
  ['AIRSPEED_UNRELIABLE_30', '30', [3470, 4820, 6670, 8880]],
  ['AIRSPEED_UNRELIABLE_40', '40', [3330, 4640, 6380, 8480]],
];

export const nonNormalPoints = (weight: number): Point[] => {
  const codes = [6, 5, 3, 1];
  const point = (value: string, flap: string, klb: number, code: number, feet: number): Point => ({
    group: 'non-normal conditions',
    name: `${value} ${klb} klb code ${code}`,
    expected: feet * metresPerFt,
    error: 'percent',
    weight,
    input: inflightCase(
      klb * kgPerKlb,
      code,
      { flap, vAppAdditiveKt: 5, autobrake: 'MAX_MAN', nonNormalCondition: value },
      {},
      { slopePercent: assumedSlopePercent },
    ),
    path: 'modes.MAX_MAN.actualDistanceM',
  });
  return [
    ...nonNormal.flatMap(([value, flap, rows]) =>
      rows.flatMap((row, c) =>
        row.map((feet, w) => point(value, flap, [106, 146.3, 174.2][w] ?? 0, codes[c] ?? 6, feet)),
      ),
    ),
    ...airspeedUnreliable.flatMap(([value, flap, row]) =>
      row.map((feet, c) => point(value, flap, 146.3, codes[c] ?? 6, feet)),
    ),
  ];
};

/** Ratio to the normal distance, max manual: anti-skid inoperative (flaps 30) and one engine inoperative (flaps 15). */
const ratios: [string, string, number, number][] = [
  ['ANTISKID_INOP', '30', 6, 1.71],
  ['ANTISKID_INOP', '30', 5, 1.35],
  ['ANTISKID_INOP', '30', 3, 1.35],
  ['ONE_ENGINE_INOP', '15', 6, 1.06],
  ['ONE_ENGINE_INOP', '15', 1, 1.22],
];

export const ratioPoints = (): Point[] =>
  ratios.map(([value, flap, code, expected]) => {
    const input = (selected: string, nonNormalCondition: string | null) =>
      inflightCase(146.3 * kgPerKlb, code, {
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
