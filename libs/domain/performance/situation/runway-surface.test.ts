import { expect, test } from 'vitest';
import type { OfficialReport } from '../../notam/surface/official.ts';
import { readReport } from '../../weather/report.ts';
import { runwaySurface } from './runway-surface.ts';

const third = (code: 0 | 3 | 5 | 6) => ({ code, isCodeReported: true, deposits: [] });
const official = (code: 0 | 3 | 5 | 6): OfficialReport => ({
  format: 'SNOWTAM',
  notam: 'SNOWTAM 0015',
  runways: ['08L', '26R'],
  thirds: [third(code), third(code), third(code)],
  observedAt: '2026-02-17T02:10:00.000Z',
  ageMinutes: 100,
  isExpired: false,
  text: '',
});
const codeOf = (code: 0 | 3 | 5 | 6, weather: string, observedAt: string) => {
  const report = readReport(`METAR EDDM 170350Z 08005KT 9999 OVC010 M02/M03 Q1013 ${weather}`, 'METAR');
  const { condition, source } = runwaySurface(report, '08L', observedAt, {
    reports: [official(code)],
    unread: [],
    slippery: [],
  });
  return [condition.code, source.source];
};
const [before, later] = ['2026-02-17T01:50:00.000Z', '2026-02-17T03:50:00.000Z'];

test('A later METAR takes precedence over a runway condition report only for ice, closure by snow or a worse state group of this runway, and over a report of dry or wet also for any worse weather', () => {
  expect(codeOf(3, 'R/SNOCLO', later)).toEqual([null, 'reported']);
  expect(codeOf(3, 'R/SNOCLO', before)).toEqual([3, 'operator']);
  expect(codeOf(6, 'R08L/490120', later)).toEqual([1, 'reported']);
  expect(codeOf(6, 'R08L/490120', before)).toEqual([6, 'operator']);
  expect(codeOf(3, 'R08L/CLRD70', later)).toEqual([3, 'operator']);
  expect(codeOf(5, 'FZRA', later)).toEqual([1, 'reported']);
  expect(codeOf(5, '+SN', later)).toEqual([3, 'reported']);
  expect(codeOf(5, 'FZRA', before)).toEqual([5, 'operator']);
  for (const weather of ['-RA', '', 'R08L/CLRD70'])
    expect([weather, ...codeOf(5, weather, later)]).toEqual([weather, 5, 'operator']);
  expect(codeOf(3, 'FZRA', later)).toEqual([1, 'reported']);
  expect(codeOf(3, 'FZRA', before)).toEqual([3, 'operator']);
  // A reported runway state is not an assumption.
  expect(codeOf(3, 'R08L/690592', later)).toEqual([2, 'reported']);
  expect(codeOf(3, 'R08L/6910//', later)).toEqual([2, 'reported']);
  expect(codeOf(3, 'R08L/690592', before)).toEqual([3, 'operator']);
  expect(codeOf(3, 'R08R/690592', later)).toEqual([3, 'operator']);
  for (const weather of ['-RA', '+RA', '+SN'])
    expect([weather, ...codeOf(3, weather, later)]).toEqual([weather, 3, 'operator']);
  expect(codeOf(0, 'FZRA', later)).toEqual([null, 'operator']);
});
