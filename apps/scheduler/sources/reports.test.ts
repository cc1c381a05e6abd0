import { expect, test } from 'vitest';
import { cycleAddresses } from './reports.ts';

test.each([
  ['2026-09-16T12:10:00Z', ['/11Z', '/12Z']],
  ['2026-09-16T12:50:00Z', ['/12Z', '/13Z']],
  ['2026-09-16T23:50:00Z', ['/23Z', '/00Z']],
])('METAR are requested from the right cycle files at %s', (at, addresses) => {
  expect(cycleAddresses('/{HH}Z', new Date(at))).toEqual(addresses);
});

test('TAF cycles are six hours apart', () => {
  expect(cycleAddresses('/{HH}Z', new Date('2026-09-16T12:50:00Z'), 6)).toEqual(['/06Z', '/12Z']);
});
