import { describe, expect, test } from 'vitest';
import { replacesMetar, replacesTaf } from './selection.ts';
import { forecastTime, isMetarCurrent, timeFromGroup, utcText } from './times.ts';

describe('times', () => {
  test('Dates are UTC text (M-2.11.m4)', () => {
    expect(utcText('2026-09-16T14:05:09.000Z')).toBe('2026-09-16 14:05:09');
  });

  test.each([
    [74, true],
    [75, true],
    [76, false],
  ])('A METAR that is %i minutes old is current: %s', (minutes, current) => {
    const now = new Date('2026-09-16T14:00:00Z');
    expect(isMetarCurrent(new Date(now.getTime() - minutes * 60_000).toISOString(), now)).toBe(current);
  });

  test('A day and time means the latest such time up to a day ahead, and a day that last month lacks is invalid', () => {
    const time = (day: number, hour: number) => ({ day, hour, minute: 30 });
    expect(timeFromGroup(time(1, 0), new Date('2026-08-31T23:55:00Z'))).toBe('2026-09-01T00:30:00.000Z');
    expect(timeFromGroup(time(2, 0), new Date('2026-08-31T23:55:00Z'))).toBe('2026-08-02T00:30:00.000Z');
    expect(timeFromGroup(time(1, 0), new Date('2026-09-01T00:05:00Z'))).toBe('2026-09-01T00:30:00.000Z');
    expect(timeFromGroup(time(31, 23), new Date('2026-09-01T00:05:00Z'))).toBe('2026-08-31T23:30:00.000Z');
    for (const day of [29, 30, 31])
      expect(timeFromGroup(time(day, 23), new Date('2026-03-01T00:05:00Z'))).toBeNull();
  });

  test('A forecast may cross the end of the month', () => {
    const at = (day: number | null, hour: number) => ({ day, hour, minute: 0 });
    expect(forecastTime(at(1, 6), '2026-12-31T23:00:00Z')).toBe('2027-01-01T06:00:00.000Z');
    expect(forecastTime(at(31, 24), '2026-12-31T05:00:00Z')).toBe('2027-01-01T00:00:00.000Z');
    expect(forecastTime(at(30, 18), '2026-12-01T00:10:00Z')).toBe('2026-11-30T18:00:00.000Z');
    expect(forecastTime(at(31, 0), '2026-11-01T00:00:00Z')).toBe('2026-10-31T00:00:00.000Z');
    expect(forecastTime(at(31, 0), '2026-11-30T00:00:00Z')).toBe('2026-10-31T00:00:00.000Z');
    expect(forecastTime(at(30, 24), '2026-11-30T00:00:00Z')).toBe('2026-12-01T00:00:00.000Z');
    expect(forecastTime(at(null, 4), '2026-12-31T20:00:00Z')).toBe('2027-01-01T04:00:00.000Z');
  });
});

describe('choice between reports', () => {
  const metar = (raw: string, observedAt = '2026-09-16T14:00:00.000Z') => ({
    icao: 'EGLL',
    observedAt,
    raw,
    source: 'AWC',
  });
  const taf = (raw: string, issuedAt = '2026-09-16T11:00:00.000Z') => ({
    icao: 'EGLL',
    issuedAt,
    validFrom: null,
    validTo: null,
    raw,
    source: 'AWC',
  });

  test('The newer report wins, then the corrected, then the longer one, never an older one', () => {
    const stored = metar('METAR EGLL 161400Z 24010KT');
    expect(replacesMetar(metar('METAR EGLL 161430Z 24010KT', '2026-09-16T14:30:00.000Z'), stored)).toBe(true);
    expect(replacesMetar(metar('METAR COR EGLL 161330Z 24010KT', '2026-09-16T13:30:00.000Z'), stored)).toBe(
      false,
    );
    expect(replacesMetar(metar('METAR COR EGLL 161400Z 9KT'), stored)).toBe(true);
    expect(replacesMetar(stored, metar('METAR COR EGLL 161400Z'))).toBe(false);
    expect(replacesMetar(metar(`${stored.raw} 9999`), stored)).toBe(true);
    expect(replacesMetar(stored, stored)).toBe(false);
    const earlier = metar('METAR EGLL 161350Z 24010KT', '2026-09-16T13:50:00.000Z');
    expect(replacesMetar(earlier, stored, new Date('2026-09-16T13:55:00Z'))).toBe(true);
    expect(replacesMetar(earlier, stored, new Date('2026-09-16T14:00:00Z'))).toBe(false);
  });

  test('An amended TAF replaces the original', () => {
    const stored = taf('TAF EGLL 161100Z 1612/1718 24010KT');
    expect(replacesTaf(taf('TAF AMD EGLL 161100Z 1612/1718'), stored)).toBe(true);
    expect(replacesTaf(taf('TAF AMD EGLL 160500Z', '2026-09-16T05:00:00.000Z'), stored)).toBe(false);
  });
});
