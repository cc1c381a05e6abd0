import { expect, test } from 'vitest';
import { dispatchForm } from '#domain/performance/situation/condition.ts';
import { dry } from '#domain/weather/condition-names.ts';
import type { KnownCondition } from '#domain/weather/condition-names.ts';
import { takeoff } from '../fixtures/takeoff-cases.ts';

const described: readonly (readonly [KnownCondition['dispatch'], number])[] = [
  ['WET_SNOW', 3],
  ['WET_SNOW', 15],
  ['WET_SNOW', 25],
  ['DRY_SNOW', 3],
  ['DRY_SNOW', 60],
  ['DRY_SNOW', 100],
  ['SLUSH', 3],
  ['SLUSH', 13],
  ['STANDING_WATER', 13],
  ['COMPACTED_SNOW', 0],
];

test.each(['737-800-7B26', 'A320-214', '747-8'])(
  'No reported code allows a heavier takeoff of the %s than the surface reported with it',
  (id) => {
    for (const metres of [2000, 3600]) {
      const limits = new Map<string, number>();
      const limit = (state: string, depthMm: number): number => {
        const key = `${state} ${depthMm}`;
        const calculated = () =>
          takeoff({ id, flap: 'OPTIMUM', metres, celsius: -5, state, depthMm }).limitKg ?? 0;
        const kg = limits.get(key) ?? calculated();
        limits.set(key, kg);
        return kg;
      };
      for (const [dispatch, depthMm] of described) {
        const surface = limit(dispatch, depthMm);
        for (const code of [4, 3, 2, 1] as const) {
          const form = dispatchForm(
            { ...dry, code, isCodeReported: true, isOfRunway: true, dispatch, depthMm },
            'takeoff',
          );
          const handed = limit(form.state ?? '', form.depth);
          expect(handed, `${metres} m ${dispatch} ${depthMm} mm, code ${code}`).toBeLessThanOrEqual(surface);
        }
      }
    }
  },
);

test('Snow keeps its drag, and braking uses the reported code where that is worse than its own', () => {
  const limitOf = (id: string, metres: number, reportedCode?: number): number =>
    takeoff({
      id,
      flap: 'OPTIMUM',
      metres,
      celsius: -5,
      state: 'WET_SNOW',
      depthMm: 16,
      ...(reportedCode === undefined ? {} : { reportedCode }),
    }).limitKg ?? 0;
  for (const id of ['737-800-7B26', 'A320-214', '747-8'])
    for (const metres of [2000, 3600]) {
      const plain = limitOf(id, metres);
      expect([5, 3].map((code) => limitOf(id, metres, code))).toEqual([plain, plain]);
      expect(limitOf(id, metres, 1)).toBeLessThanOrEqual(plain);
    }
  // On a short runway the stop is limiting.
  expect(limitOf('A320-214', 1800, 1)).toBeLessThan(limitOf('A320-214', 1800) - 3000);
});
