/** `userStatistics` (M-2.7.t*): habits over all calculations of a user, in the user's time. */
import { z } from 'zod';
import { atMostCharacters } from '../fields/index.ts';

export const usageHabitsSchema = z.strictObject({
  weekday: z.array(z.strictObject({ label: z.string(), count: z.int() })),
  hourOfDay: z.array(z.strictObject({ hour: z.int().min(0).max(23), label: z.string(), count: z.int() })),
});

const isTimeZone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};

/** Name of the tz database (`Europe/Berlin`) or an offset (`+05:30`); UTC when absent. */
export const timeZoneField = (code: string) =>
  atMostCharacters(z.string(code), 64, code).refine(isTimeZone, code).nullish();

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** Calculations of a quarter of an hour, which every time zone has on one side of its full hours. */
export interface Quarter {
  startsAt: Date;
  count: number;
}

/** All 7 days and 24 hours, so that a chart has no gaps; both empty while there are no calculations. */
export const usageHabits = (
  quarters: readonly Quarter[],
  timeZone: string,
): z.output<typeof usageHabitsSchema> => {
  if (quarters.length === 0) return { weekday: [], hourOfDay: [] };
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    weekday: 'long',
    hour: '2-digit',
    hourCycle: 'h23',
  });
  const counts = new Map<string, number>();
  for (const { startsAt, count } of quarters) {
    for (const { type, value } of format.formatToParts(startsAt)) {
      if (type !== 'literal') counts.set(value, (counts.get(value) ?? 0) + count);
    }
  }
  return {
    weekday: weekdays.map((label) => ({ label, count: counts.get(label) ?? 0 })),
    hourOfDay: Array.from({ length: 24 }, (_, hour) => {
      const text = String(hour).padStart(2, '0');
      return { hour, label: `${text}:00`, count: counts.get(text) ?? 0 };
    }),
  };
};
