import { describe, expect, test } from 'vitest';
import { publicReason, summaryOf } from './summary.ts';
import type { SummarisedFeed } from './summary.ts';

const now = new Date('2026-09-16T12:00:00Z');
const feed = (name: string, change: Partial<SummarisedFeed> = {}): SummarisedFeed => ({
  feed: name,
  status: 'up',
  lateSince: null,
  lastError: null,
  seedDate: null,
  notice: null,
  ...change,
});
const at = (time: string) => new Date(`2026-09-${time}:00Z`);

describe('the summary sentence of the status page', () => {
  test.each<[string, SummarisedFeed[], string | null, string]>([
    ['up', [feed('metar'), feed('taf'), feed('notam', { status: 'off' })], null, 'All 2 feeds are up.'],
    [
      'up',
      [feed('metar'), feed('magvar', { notice: 'the model WMM2025 expires on 2030-01-01' })],
      null,
      'All 2 feeds are up; Magnetic variation: the model WMM2025 expires on 2030-01-01.',
    ],
    [
      'late',
      [feed('metar', { status: 'late', lateSince: at('16T11:55') }), feed('taf')],
      null,
      '1 of 2 feeds is not up: METAR late since 11:55 UTC.',
    ],
    [
      'down',
      [
        feed('airports', { status: 'seed', seedDate: '2026-02-16' }),
        feed('taf', {
          status: 'down',
          lateSince: at('15T03:20'),
          lastError: 'https://example.org/tafs.xml.gz cannot be reached. / x answered with status 500.',
        }),
        feed('winds', { status: 'down' }),
        feed('osm', { status: 'late', lateSince: at('16T10:00') }),
      ],
      null,
      '4 of 4 feeds are not up: TAF late since 2026-09-15 03:20 UTC, tafs.xml.gz cannot be reached; Winds aloft without data so far; Runway exits late since 10:00 UTC; 1 more below.',
    ],
    ['down', [], 'disk full', 'The database cannot be used: disk full.'],
    ['down', [], null, 'No feed has run yet: the scheduler has not started.'],
  ])('The sentence says that the service is %s, for case %#', (status, feeds, database, sentence) => {
    expect(summaryOf(feeds, database, now)).toEqual({ status, sentence });
  });
});

describe('the public reason of a failure', () => {
  test.each([
    [
      'https://user:pass@internal.example:8443/a/metars.xml.gz?key=1 cannot be reached.',
      'metars.xml.gz cannot be reached.',
    ],
    ['file:///srv/secret/notam answered nothing', 'the source answered nothing'],
    ['ENOENT: no such file, open /srv/secret/cycle.grib2', 'ENOENT: no such file, open cycle.grib2'],
    ['connect ECONNREFUSED 10.1.2.3:5432', 'connect ECONNREFUSED the source'],
    ['password authentication failed for user "efb"', 'password authentication failed for the database'],
    [
      '200 records, less than half of the last 5000: nothing was stored.',
      '200 records, less than half of the last 5000: nothing was stored.',
    ],
    [
      'The cycle of 2026-09-16T06:00:00.000Z is overdue.',
      'The cycle of 2026-09-16T06:00:00.000Z is overdue.',
    ],
  ])('%s', (error, shown) => {
    expect(publicReason(error)).toBe(shown);
  });

  test('The reason is short, however long the error is', () => {
    expect(publicReason('x'.repeat(100_000))).toHaveLength(160);
  });
});
