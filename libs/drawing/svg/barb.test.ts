import { expect, test } from 'vitest';
import { barb, feathersOf } from './barb.ts';

test.each([
  [0, [0, 0, 0]],
  [2, [0, 0, 0]],
  [3, [0, 0, 1]],
  [12, [0, 1, 0]],
  [15, [0, 1, 1]],
  [48, [1, 0, 0]],
  [65, [1, 1, 1]],
  [137, [2, 3, 1]],
])('A wind of %i kt has pennants, feathers and half feathers %j', (speedKt, [fifties, tens, fives]) => {
  expect(feathersOf(speedKt)).toEqual({ fifties, tens, fives });
});

test('The staff points into the wind, the feathers towards low pressure, and calm is a circle', () => {
  const wind = { directionDeg: 270, speedKt: 25 };
  expect(barb(1, 2, { ...wind, isSouthern: false })).toMatch(
    /^<g transform="translate\(1 2\) rotate\(270\)">/,
  );
  expect(barb(1, 2, { ...wind, isSouthern: true })).toContain('rotate(270) scale(-1 1)');
  expect(barb(1, 2, { ...wind, isSouthern: false }).match(/<line/g)).toHaveLength(4);
  expect(barb(0, 0, { directionDeg: 0, speedKt: 1, isSouthern: false })).toMatch(/^<circle/);
});
