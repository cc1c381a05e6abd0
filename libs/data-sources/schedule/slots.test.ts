import { expect, test } from 'vitest';
import { periodMinutes, slotAt } from './slots.ts';

test.each([
  ['* * * * *', '2026-09-16T12:25:59.999Z', '2026-09-16T12:25:00.000Z', 1],
  ['*/10 * * * *', '2026-09-16T12:29:00Z', '2026-09-16T12:20:00.000Z', 10],
  ['40 3,9,15,21 * * *', '2026-09-16T03:39:00Z', '2026-09-15T21:40:00.000Z', 360],
  ['15 4 * * *', '2026-09-16T04:15:00Z', '2026-09-16T04:15:00.000Z', 1440],
  ['0 5 1 * *', '2026-09-16T12:00:00Z', '2026-09-01T05:00:00.000Z', 44640],
  ['0 6 * * 0', '2026-09-16T12:00:00Z', '2026-09-13T06:00:00.000Z', 10080],
  ['10-30/10 * * * *', '2026-09-16T12:05:00Z', '2026-09-16T11:30:00.000Z', 10],
])('The last slot of %s at %s', (schedule, at, slot, minutes) => {
  expect(slotAt(schedule, new Date(at)).toISOString()).toBe(slot);
  expect(periodMinutes(schedule, new Date(at))).toBe(minutes);
});

test.each(['* * * *', 'x * * * *', '*/5 * * * * *', ''])('The schedule %j is refused', (schedule) => {
  expect(() => slotAt(schedule, new Date())).toThrow(/schedule/);
});
