import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { until } from '#test/support/until.ts';
import { collect, createCollection } from './garbage.ts';

test('A collection removes what nothing refers to, at once', async () => {
  // In a function, so that no variable holds the array afterwards.
  const work = () => new WeakRef(Array.from({ length: 1_000_000 }, (_, n) => n));
  const garbage = work();
  // The turn in which it was created still holds it.
  await nextTurn();
  collect();
  expect(garbage.deref()).toBeUndefined();
});

test('Further work postpones the collection, and each rest has one', async () => {
  let runs = 0;
  const rest = createCollection(50, () => void (runs += 1));
  for (let n = 0; n < 20; n += 1) rest();
  await until('the first collection', () => runs > 0);
  expect(runs).toBe(1);
  rest();
  await until('the second collection', () => runs > 1);
  expect(runs).toBe(2);
});
