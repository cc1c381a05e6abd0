import { expect, test } from 'vitest';
import { mergeNavdata } from './merge.ts';
import type { NavPoint, NavdataSet } from './types.ts';

const point = (ident: string, latitudeDeg = 50): NavPoint => ({
  ident,
  name: ident,
  band: 'point',
  frequencyMhz: null,
  latitudeDeg,
  longitudeDeg: 8,
  region: null,
});

const set = (change: Partial<NavdataSet>): NavdataSet => ({
  source: 'faa_fix',
  cycle: null,
  points: [],
  airways: [],
  rejects: [],
  ...change,
});

const shape = (sets: NavdataSet[]) =>
  sets.map(({ source, cycle, points }) => [source, cycle, points.map(({ ident }) => ident).join(' ')]);

test('Files of one source form one set, and a repeated point counts once', () => {
  const merged = mergeNavdata([
    set({ points: [point('A'), point('B')] }),
    set({ points: [point('B'), point('B', 51), point('C')] }),
  ]);
  expect(shape(merged)).toEqual([['faa_fix', null, 'A B B C']]);
});

test('Cycles are kept apart with the older first, a file without a cycle belongs to the newest, and airways come last', () => {
  const merged = mergeNavdata([
    set({ source: 'xplane_awy', cycle: '2608' }),
    set({ cycle: '2609', points: [point('NEW')] }),
    set({ points: [point('UNDATED')] }),
    set({ cycle: '2608', points: [point('OLD')] }),
    set({ source: 'xplane_fix', cycle: '2608', points: [point('FIX')] }),
  ]);
  expect(shape(merged)).toEqual([
    ['faa_fix', '2608', 'OLD'],
    ['xplane_fix', '2608', 'FIX'],
    ['faa_fix', '2609', 'NEW UNDATED'],
    ['xplane_awy', '2608', ''],
  ]);
});
