import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { atmosphere } from '#perf/kernel/atmosphere.ts';
import { referenceEnergy } from '#perf/landing/energy.ts';
import type { Point } from '../types.ts';
import { metresPerFt } from './common.ts';

/** Reference brake energy (million ft-lb): t, C, then 80 100 120 140 160 180 kt as [0, 5000, 10000 ft]. */
const energyRows: [number, number, ...[number, number, number][]][] = [
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

export const energyPoints = (): Point[] =>
  energyRows.flatMap(([tonnes, celsius, ...speeds]) =>
    speeds.flatMap((cell, s) =>
      cell.map((energy, a) => ({
        group: 'reference brake energy',
        name: `${tonnes} t ${celsius} C ${5000 * a} ft ${80 + 20 * s} kt`,
        expected: energy,
        error: 'percent' as const,
        weight: 0.3,
        evaluate: (profile: AircraftProfile) =>
          referenceEnergy(
            profile,
            tonnes * 1000,
            80 + 20 * s,
            atmosphere(5000 * a * metresPerFt, celsius + 273.15),
          ),
      })),
    ),
  );
