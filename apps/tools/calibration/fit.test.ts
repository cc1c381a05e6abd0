import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { loadProfiles } from '#data/aircraft/profiles.ts';
import { rmsOfBlock } from './accuracy.ts';
import { leastSquares, solve } from './fit.ts';
import { readPath, writePath } from './paths.ts';
import type { Dataset } from './types.ts';

describe('least squares', () => {
  test('Solves a linear system, with pivoting', () => {
    const x = solve(
      [
        [0, 2, 1],
        [1, -1, 0],
        [3, 0, 1],
      ],
      [7, -1, 6],
    );
    expect(x[0]).toBeCloseTo(1, 9);
    expect(x[1]).toBeCloseTo(2, 9);
    expect(x[2]).toBeCloseTo(3, 9);
    expect(() =>
      solve(
        [
          [1, 1],
          [2, 2],
        ],
        [1, 2],
      ),
    ).toThrow('singular');
  });

  test('Finds the parameters of a curve and respects bounds', () => {
    const points = Array.from({ length: 20 }, (_, i) => [i / 4, 3 * Math.exp(-0.7 * (i / 4)) + 0.5] as const);
    const residuals = ([a = 0, b = 0, c = 0]: readonly number[]): number[] =>
      points.map(([x, y]) => a * Math.exp(-b * x) + c - y);
    const free = leastSquares(
      residuals,
      [1, 0.1, 0],
      [
        { min: 0, max: 10 },
        { min: 0, max: 5 },
        { min: -1, max: 2 },
      ],
    );
    expect(free.parameters.map((value) => Number(value.toFixed(4)))).toEqual([3, 0.7, 0.5]);
    const held = leastSquares(
      residuals,
      [1, 0.1, 0],
      [
        { min: 0, max: 2 },
        { min: 0, max: 5 },
        { min: -1, max: 2 },
      ],
    );
    expect(held.parameters[0]).toBeLessThanOrEqual(2);
  });

  test('Paths name list entries by code, value or index', () => {
    const root = {
      flaps: [{ code: 'FULL', ground: { cd: 0.2 } }],
      curve: [
        [1, 2],
        [3, 4],
      ],
    };
    expect(readPath(root, 'flaps/FULL/ground/cd')).toBe(0.2);
    writePath(root, 'curve/1/0', 9);
    expect(root.curve[1]).toEqual([9, 4]);
    expect(() => readPath(root, 'flaps/NONE/ground')).toThrow('no NONE');
  });
});

test('The RMS that a profile states is that of its published points; `npm run calibrate -- --page` writes it', async () => {
  const profiles = await loadProfiles(() => []);
  const folder = new URL('./data/', import.meta.url);
  let stated = 0;
  for (const file of await readdir(folder)) {
    const profile = profiles.get(file.replace(/\.ts$/, ''));
    if (!profile) continue;
    const { default: dataset } = (await import(new URL(file, folder).href)) as { default: Dataset };
    for (const { block, rms } of profile.provenance) {
      const found = rmsOfBlock(profile, dataset, block);
      if (found === null) continue;
      expect(Math.abs((rms ?? 1) - found), `${profile.id} ${block}`).toBeLessThan(0.005);
      stated += 1;
    }
  }
  expect(stated).toBeGreaterThan(8);
});
