import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { loadProfiles } from '#data/aircraft/profiles.ts';
import { rmsOfBlock } from './accuracy.ts';
import { profile as aircraft } from '#perf/fixtures/aircraft.ts';
import { leastSquares, solve } from './fit.ts';
import { outsidePoints } from './outside.ts';
import { readPath, writePath } from './paths.ts';
import type { Dataset } from './types.ts';
import { residualPlot, residualTable } from './plot.ts';
import { evaluate } from './residuals.ts';

describe('least squares', () => {
  test('A linear system is solved with pivoting', () => {
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

  test('The parameters of a curve are found within their bounds', () => {
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

  test('Paths address list entries by code, value or index', () => {
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

test('The RMS stated by a profile is that of its published points; `npm run calibrate -- --page` writes it', async () => {
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

describe('published points from outside', () => {
  const boeing = aircraft('747-8');
  const header =
    'aircraft,engine_profile,quantity,flap,rwycc_or_surface,brake,reversers,weight_kg,press_alt_ft,oat_c,headwind_kt,slope_pct,speed_above_ref_kt,air_part_in_value,margin_in_value,value,unit,source';
  const rows = [
    'X,747-8,in-flight landing distance,30,6,MAX MANUAL,ALL,300000,0,15,0,0,0,7 s,1.15,2300,m,invented',
    'X,747-8,in-flight landing distance,30,6,MAX MANUAL,ALL,300000,0,15,0,0,0,305 m (1000 ft),none,1305,m,invented',
    'X,747-8,VREF,30,,,,300000,,,,,,,,150,kt,invented',
  ];
  const [table] = outsidePoints([header, ...rows].join('\n'));

  test('A margin and a fixed air distance are removed from the published value', () => {
    expect(table?.points.map((point) => [point.group, Math.round(point.expected)])).toEqual([
      ['distance, code 6', 2000],
      ['ground roll, code 6', 1000],
      ['VREF', 150],
    ]);
    const [whole, roll] = evaluate(boeing, table?.points ?? []);
    // 7 s at 98 % of the approach speed separate the two.
    const airM = (whole?.value ?? 0) - (roll?.value ?? 0);
    expect(airM).toBeGreaterThan(500);
    expect(airM).toBeLessThan(560);
  });

  test('Residuals of a block are printed as a table with the largest error first, and as a plot with each point', () => {
    const residuals = evaluate(boeing, table?.points.slice(0, 2) ?? []);
    const lines = residualTable(residuals).split('\n').slice(2);
    const errors = lines.map((line) => Math.abs(Number(line.split('|').at(-2))));
    expect(errors).toEqual(errors.toSorted((a, b) => b - a));
    const svg = residualPlot('747-8', residuals);
    for (const { point } of residuals) expect(svg).toContain(`${point.group}, ${point.name}`);
    expect(svg.match(/<circle/g)?.length).toBe(4);
  });
});
