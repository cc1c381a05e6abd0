/** `userStatistics` (M-2.7.t*): habits over all calculations of a user, in the user's time. */
import { z } from 'zod';
import { atMostCharacters } from '../fields/index.ts';

export const usageHabitsSchema = z.strictObject({
  weekday: z.array(z.strictObject({ label: z.string(), count: z.int() })),
  hourOfDay: z.array(z.strictObject({ hour: z.int().min(0).max(23), label: z.string(), count: z.int() })),
});

/** More than the zones of users; letter case and offsets allow for any number. */
const maxFormats = 100;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Writes weekday and hour, as in `Monday, 07`; null for an unknown zone. Kept, since constructing one takes 40 µs. */
const formatOf = (timeZone: string): Intl.DateTimeFormat | null => {
  const known = formats.get(timeZone);
  if (known) return known;
  try {
    const format = new Intl.DateTimeFormat('en', {
      timeZone,
      weekday: 'long',
      hour: '2-digit',
      hourCycle: 'h23',
    });
    if (formats.size >= maxFormats) formats.clear();
    formats.set(timeZone, format);
    return format;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};

/** Name of the tz database (`Europe/Berlin`) or an offset (`+05:30`); UTC when absent. */
export const timeZoneField = (code: string) =>
  atMostCharacters(z.string(code), 64, code)
    .refine((name) => formatOf(name) !== null, code)
    .nullish();

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
  const format = formatOf(timeZone);
  if (!format) throw new RangeError(`unknown time zone ${timeZone}`);
  const counts = new Map<string, number>();
  for (const { startsAt, count } of quarters)
    for (const value of format.format(startsAt).split(', '))
      counts.set(value, (counts.get(value) ?? 0) + count);
  return {
    weekday: weekdays.map((label) => ({ label, count: counts.get(label) ?? 0 })),
    hourOfDay: Array.from({ length: 24 }, (_, hour) => {
      const text = String(hour).padStart(2, '0');
      return { hour, label: `${text}:00`, count: counts.get(text) ?? 0 };
    }),
  };
};
