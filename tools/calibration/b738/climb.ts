import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { atmosphere } from '#perf/kernel/atmosphere.ts';
import { climbGradient, goAroundGradient } from '#perf/landing/gradient.ts';
import { flapOf } from '#perf/landing/profile-lookup.ts';
import { vref } from '#perf/landing/speeds.ts';
import { dispatchCase } from '../build.ts';
import type { Point } from '../types.ts';
import { metresPerFt } from './common.ts';

/** Climb limit weight (t) at 2.1 %: OAT, then 0, 2000, 4000, 6000, 8000 ft. Derived from the gradient tables. */
export type ClimbRow = [number, ...(number | null)[]];

export const climbPoints = (rows: readonly ClimbRow[], group: string, error = 1): Point[] =>
  rows.flatMap(([temperatureC, ...tonnes]) =>
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

/** Gradient at 60 t and VREF40 + 5 (percent): OAT, then 0, 4000, 8000, 10000 ft. */
export const gradientPoints = (rows: readonly ClimbRow[]): Point[] =>
  rows.flatMap(([celsius, ...values]) =>
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
            const air = atmosphere(feet * metresPerFt, celsius + 273.15);
            return goAroundGradient(profile, flapOf(profile, '40'), 60_000, air, 0, 1, 5);
          },
        },
      ];
    }),
  );

/** Adjustment of the gradient for weight (t): at references of 2, 4 and 6 %. */
const weightAdjustment: [number, number, number, number][] = [
  [80, -2.91, -3.47, -3.99],
  [70, -1.69, -2.01, -2.32],
  [65, -0.91, -1.08, -1.24],
  [55, 1.04, 1.25, 1.46],
  [50, 2.27, 2.75, 3.21],
];

/** Effect of weight on the gradient, with the thrust for which 60 t gives the reference. Not fitted. */
export const weightAdjustmentPoints = (): Point[] =>
  weightAdjustment.flatMap(([tonnes, ...values]) =>
    values.map((expected, i) => ({
      group: 'go-around gradient, weight adjustment',
      name: `${tonnes} t at ${2 + 2 * i} %`,
      expected,
      error: 'gradient' as const,
      weight: 0,
      evaluate: (profile: AircraftProfile) => {
        const flap = flapOf(profile, '15');
        const speed = (kg: number): number => vref(flapOf(profile, '40'), kg) + 5;
        const drag = -climbGradient(profile, flap, 60_000, speed(60_000), 0, false);
        const thrustN = 60_000 * 9.80665 * ((2 + 2 * i) / 100 + drag);
        return (
          100 * climbGradient(profile, flap, tonnes * 1000, speed(tonnes * 1000), thrustN, false) -
          (2 + 2 * i)
        );
      },
    })),
  );

/** Quick turnaround limit weight (t): OAT, then 0, 4000, 8000, 10000 ft. */
export const quickTurnPoints = (
  rows: readonly ClimbRow[],
  group = 'quick turnaround limit weight',
  configuration: Record<string, unknown> = {},
): Point[] =>
  rows.flatMap(([temperatureC, ...tonnes]) =>
    tonnes.flatMap((t, i) => {
      if (t === null) return [];
      const elevationFt = [0, 4000, 8000, 10000][i] ?? 0;
      return [
        {
          group,
          name: `${temperatureC} C ${elevationFt} ft`,
          expected: t * 1000,
          error: 'kg' as const,
          weight: 1,
          input: dispatchCase(
            4000,
            'DRY',
            { flap: '40', ...configuration },
            { temperatureC },
            { elevationFt },
          ),
          path: 'quickTurnWeightKg',
        },
      ];
    }),
  );
