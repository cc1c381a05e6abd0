import { describe, expect, test } from 'vitest';
import { candidateCycles, fillTemplate, sourceOf } from './sources.ts';
import { byteRanges, parseIdx, wantedRecords } from './idx.ts';

const idx = `1:0:d=2026091606:HGT:250 mb:6 hour fcst:
2:1000:d=2026091606:TMP:250 mb:6 hour fcst:
3.1:2000:d=2026091606:UGRD:250 mb:6 hour fcst:
3.2:2000:d=2026091606:VGRD:250 mb:6 hour fcst:
4:5000:d=2026091606:TMP:0.4 mb:6 hour fcst:
5:6000:d=2026091606:APCP:surface:0-6 hour acc fcst:
6:9000:d=2026091606:TMP:300 mb:6 hour fcst:
`;
const cycle = Date.UTC(2026, 8, 16, 6);

describe('inventory', () => {
  test('The inventory has records, their ends and two fields in one message', () => {
    const records = parseIdx(idx);
    expect(records).toHaveLength(7);
    expect(records[1]).toEqual({
      offset: 1000,
      end: 2000,
      cycleMs: cycle,
      variable: 'TMP',
      level: '250 mb',
      forecast: '6 hour fcst',
    });
    expect(records[2]?.end).toBe(5000);
    expect(records[3]?.end).toBe(5000);
    expect(records[6]?.end).toBeNull();
  });

  test('Only winds and temperatures of the requested hour and cycle are selected', () => {
    const records = parseIdx(idx);
    expect(wantedRecords(records, cycle, 6).map((r) => `${r.variable} ${r.level}`)).toEqual([
      'TMP 250 mb',
      'UGRD 250 mb',
      'VGRD 250 mb',
      'TMP 300 mb',
    ]);
    expect(wantedRecords(records, cycle, 12)).toEqual([]);
    expect(wantedRecords(records, cycle - 6 * 3_600_000, 6)).toEqual([]);
  });

  test('Ranges join neighbours and small gaps, and the last one is open-ended', () => {
    const wanted = wantedRecords(parseIdx(idx), cycle, 6);
    expect(byteRanges(wanted, 0)).toEqual([
      { start: 1000, end: 5000 },
      { start: 9000, end: null },
    ]);
    expect(byteRanges(wanted, 4000)).toEqual([{ start: 1000, end: null }]);
  });

  test('A web page or an empty file has no records', () => {
    expect(parseIdx('<!doctype html><title>blocked</title>')).toEqual([]);
    expect(parseIdx('')).toEqual([]);
  });
});

describe('cycles and URLs', () => {
  test('The newest cycle is requested 3 h 35 min after its time', () => {
    const at = (text: string): number => Date.parse(text);
    expect(candidateCycles(at('2026-09-16T09:34:00Z'), null)[0]).toEqual(at('2026-09-16T00:00:00Z'));
    expect(candidateCycles(at('2026-09-16T09:35:00Z'), null)[0]).toEqual(at('2026-09-16T06:00:00Z'));
    expect(candidateCycles(at('2026-09-16T09:35:00Z'), at('2026-09-16T00:00:00Z'))).toEqual([
      at('2026-09-16T06:00:00Z'),
    ]);
    expect(candidateCycles(at('2026-09-16T09:35:00Z'), at('2026-09-16T06:00:00Z'))).toEqual([]);
  });

  test('Template placeholders are replaced', () => {
    expect(fillTemplate('http://h/gfs.{YYYYMMDD}/{HH}/f{FFF}?x={other}', cycle, 6)).toBe(
      'http://h/gfs.20260916/06/f006?x={other}',
    );
  });

  test('Requests keep the limit of their server, and local folders are read completely', () => {
    const sources = ['https://nomads.ncep.noaa.gov/a/{FFF}', 'file:///winds', 'https://h/{FFF}'].map(
      sourceOf,
    );
    expect(sources.map(({ name, kind, spacingMs }) => [name, kind, spacingMs])).toEqual([
      ['nomads.ncep.noaa.gov', 'ranges', 1_000],
      ['local files', 'whole', 0],
      ['h', 'ranges', 0],
    ]);
  });
});
