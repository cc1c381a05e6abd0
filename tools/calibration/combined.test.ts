import { expect, test } from 'vitest';
import { profile } from '#perf/fixtures/aircraft.ts';
import { combinedPoints } from './a320/combined.ts';
import { evaluate } from './residuals.ts';

test('Everyday A320-251N cases with several corrections have a bias within 2 %, and none is more than 6 % off', () => {
  const errors = evaluate(profile('A320-251N'), combinedPoints).map(({ error }) => error);
  expect(errors.length).toBe(63);
  expect(Math.abs(errors.reduce((sum, error) => sum + error, 0) / errors.length)).toBeLessThan(2);
  expect(Math.max(...errors.map(Math.abs))).toBeLessThan(6);
});
