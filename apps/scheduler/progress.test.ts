import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { createProgress } from './progress.ts';

const recorded = (steps: readonly [number, number | null, string][]): string[] => {
  const stream = new PassThrough();
  const progress = createProgress('feed', stream);
  for (const [done, total, unit] of steps) progress(done, total, unit);
  return String(stream.read() ?? '')
    .split('\n')
    .filter((line) => line !== '');
};

test('Each phase has a separate count that ends at 100 %', () => {
  expect(
    recorded([
      [1, 3, 'hours'],
      [2, 3, 'hours'],
      [3, 3, 'hours'],
      [0, 2, 'hours stored'],
      [2, 2, 'hours stored'],
    ]),
  ).toEqual([
    'feed: 1 of 3 hours (33 %)',
    'feed: 3 of 3 hours (100 %)',
    'feed: 0 of 2 hours stored (0 %)',
    'feed: 2 of 2 hours stored (100 %)',
  ]);
});

test('A count that starts again is another phase', () => {
  expect(
    recorded([
      [2, 2, 'files'],
      [1, 2, 'files'],
      [2, 2, 'files'],
    ]),
  ).toEqual(['feed: 2 of 2 files (100 %)', 'feed: 1 of 2 files (50 %)', 'feed: 2 of 2 files (100 %)']);
});
