/** `userStatistics` (M-2.7.t*): habits over all calculations of a user, in UTC. */
import { z } from 'zod';

export const usageHabitsSchema = z.strictObject({
  weekday: z.array(z.strictObject({ label: z.string(), count: z.int() })),
  hourOfDay: z.array(z.strictObject({ hour: z.int().min(0).max(23), label: z.string(), count: z.int() })),
});

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** All 7 days and 24 hours, so that a chart has no gaps; both empty while there are no calculations. */
export const usageHabits = (
  byWeekday: readonly { day: number; count: number }[],
  byHour: readonly { hour: number; count: number }[],
): z.output<typeof usageHabitsSchema> => {
  if (byWeekday.length === 0) return { weekday: [], hourOfDay: [] };
  return {
    weekday: weekdays.map((label, i) => ({
      label,
      count: byWeekday.find(({ day }) => day === i + 1)?.count ?? 0,
    })),
    hourOfDay: Array.from({ length: 24 }, (_, hour) => ({
      hour,
      label: `${String(hour).padStart(2, '0')}:00`,
      count: byHour.find((row) => row.hour === hour)?.count ?? 0,
    })),
  };
};
