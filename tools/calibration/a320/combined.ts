import { inflightCase, isaC, modePoints } from '../build.ts';
import type { Point } from '../types.ts';

type Three = [number, number, number];
const modes = ['MAN', 'MED', 'LO'];

/**
 * Published numbers of CONF FULL (m; MAN, MED, LO) by code: the reference distance at 68 t, then per tonne below 68 t, 5 kt
 * above VLS, 1000 ft, 10 C above ISA, 5 kt of tailwind, 1 % downhill, and both reversers. The table adds them.
 */
const published: Record<6 | 5 | 3, Three[]> = {
  6: [
    [1060, 1330, 1860],
    [10, 10, 10],
    [70, 90, 130],
    [40, 50, 70],
    [30, 40, 70],
    [130, 140, 200],
    [20, 10, 30],
    [0, 0, 0],
  ],
  5: [
    [1320, 1380, 1860],
    [10, 10, 10],
    [110, 110, 130],
    [70, 70, 70],
    [60, 60, 70],
    [200, 200, 200],
    [50, 50, 30],
    [-40, 0, 0],
  ],
  3: [
    [1760, 1810, 1960],
    [10, 10, 10],
    [100, 110, 130],
    [70, 70, 70],
    [60, 60, 70],
    [220, 230, 240],
    [110, 110, 100],
    [-180, -200, -80],
  ],
};

/** Everyday cases: weight (t), elevation (ft), C above ISA, tailwind (kt), downhill slope (%), reversers. */
const everyday = [
  [62, 0, 0, 0, 0, 2],
  [66, 1000, 10, 0, 0, 2],
  [60, 2000, 10, 5, 0, 2],
  [64, 500, 5, 5, 1, 2],
  [66, 0, 20, 10, 0, 2],
  [62, 4000, 10, 0, 1, 2],
  [58, 1000, 0, 5, 0, 0],
] as const;

/** Combined cases with auto-thrust (VAPP = VLS + 5 kt), as the table adds its corrections. */
export const combinedPoints: Point[] = ([6, 5, 3] as const).flatMap((code) =>
  everyday.flatMap(([tonnes, feet, warmerC, tailwindKt, downhill, reversers]) => {
    const units = [1, tonnes - 68, 1, feet / 1000, warmerC / 10, tailwindKt / 5, downhill, reversers / 2];
    const metres = modes.map((_, i) =>
      published[code].reduce((sum, row, k) => sum + (row[i] ?? 0) * (units[k] ?? 0), 0),
    );
    return modePoints(
      'combined everyday cases',
      `code ${code} ${tonnes} t ${feet} ft +${warmerC} C ${tailwindKt} kt ${downhill} % rev ${reversers}`,
      inflightCase(
        tonnes * 1000,
        code,
        { flap: 'FULL', reversers, autothrust: true },
        { temperatureC: isaC(feet) + warmerC, headwindKt: -tailwindKt },
        { elevationFt: feet, slopePercent: -downhill },
      ),
      modes,
      metres,
      1,
    );
  }),
);
