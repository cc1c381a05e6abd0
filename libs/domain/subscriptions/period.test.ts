import { expect, test } from 'vitest';
import { periodEnd } from './period.ts';

test.each([
  ['monthly', 30, '2026-08-15', '2026-09-15'],
  ['monthly', 30, '2026-09-15', '2026-10-15'],
  ['monthly', 30, '2026-02-15', '2026-03-17'],
  ['monthly', 30, '2026-01-31', '2026-03-02'],
  ['monthly', 28, '2026-01-31', '2026-02-28'],
  ['monthly', 28, '2026-12-31', '2027-01-31'],
  ['yearly', 365, '2027-06-01', '2028-06-01'],
  ['yearly', 360, '2028-02-29', '2029-02-28'],
  ['unknown', 45, '2026-01-01', '2026-02-15'],
] as const)('A %s period of %i days from %s ends on %s', (frequency, durationDays, from, end) => {
  const ends = periodEnd(new Date(`${from}T08:30:00Z`), { frequency, durationDays });
  expect(ends.toISOString()).toBe(`${end}T08:30:00.000Z`);
});
