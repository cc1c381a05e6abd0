/** `userStatistics` (M-2.7.t*): usage habits over all calculations of a user, in the user's time zone. */
import { z } from 'zod';
import { atMostCharacters } from '../fields/index.ts';
import { dayMs } from '../time.ts';

export const usageHabitsSchema = z.strictObject({
  weekday: z.array(z.strictObject({ label: z.string(), count: z.int() })),
  hourOfDay: z.array(z.strictObject({ hour: z.int().min(0).max(23), label: z.string(), count: z.int() })),
});

/** More than users' time zones; letter case and offsets would allow any number. */
const maxZones = 100;
const zones = new Map<string, Intl.DateTimeFormat>();

/** Formats weekday and time, as in `Monday 07:45`; null for an unknown zone. Cached, since it takes 40 µs to make. */
const zoneOf = (name: string): Intl.DateTimeFormat | null => {
  const known = zones.get(name);
  if (known) return known;
  try {
    const format = new Intl.DateTimeFormat('en', {
      timeZone: name,
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    if (zones.size >= maxZones) zones.clear();
    zones.set(name, format);
    return format;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};

/** A tz database name (`Europe/Berlin`) or offset (`+05:30`); UTC if absent. */
export const timeZoneField = (code: string) =>
  atMostCharacters(z.string(code), 64, code)
    .refine((name) => zoneOf(name) !== null, code)
    .nullish();

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** The first character code for a quarter hour: a space, so that all 96 are ASCII. */
export const firstTimeCode = 32;

/** The quarter hours of a UTC day's calculations; in every time zone, a quarter hour belongs to one local hour. */
export interface DayOfUse {
  /** `YYYY-MM-DD`. */
  day: string;
  /** One character per calculation; the code `firstTimeCode` is 00:00 to 00:15. */
  times: string;
}

const quarterMs = 900_000;
const quartersOfDay = 96;
const quartersOfWeek = 7 * quartersOfDay;

/** Quarter hours since the start of the local week. */
const localOf = (format: Intl.DateTimeFormat, at: number): number => {
  const [weekday, hour, minute] = format.format(at).split(/\W+/);
  return (
    weekdays.findIndex((name) => name === weekday) * quartersOfDay +
    Number(hour) * 4 +
    Math.floor(Number(minute) / 15)
  );
};

/** Quarter hours from the start of the local week to `start`; null if the clock changes within the day starting there. */
const evenFrom = (format: Intl.DateTimeFormat, start: number): number | null => {
  const first = localOf(format, start);
  const last = localOf(format, start + dayMs - quarterMs);
  return last === (first + quartersOfDay - 1) % quartersOfWeek ? first : null;
};

/** Number of calculations per quarter hour of the local week. */
const countsOfWeek = (days: readonly DayOfUse[], format: Intl.DateTimeFormat): Float64Array => {
  const counts = new Float64Array(quartersOfWeek);
  for (const { day, times } of days) {
    const start = Date.parse(day);
    // Formatting takes microseconds, so single times are formatted only on the day of a clock change.
    const first = evenFrom(format, start);
    for (let i = 0; i < times.length; i += 1) {
      const quarter = times.charCodeAt(i) - firstTimeCode;
      const local =
        first === null ? localOf(format, start + quarter * quarterMs) : (first + quarter) % quartersOfWeek;
      counts[local] = (counts[local] ?? 0) + 1;
    }
  }
  return counts;
};

/** All 7 days and 24 hours, so that charts have no gaps; both empty without calculations. */
export const usageHabits = (
  days: readonly DayOfUse[],
  timeZone: string,
): z.output<typeof usageHabitsSchema> => {
  if (days.length === 0) return { weekday: [], hourOfDay: [] };
  const zone = zoneOf(timeZone);
  if (!zone) throw new RangeError(`unknown time zone ${timeZone}`);
  const byWeekday = Array.from({ length: 7 }, () => 0);
  const byHour = Array.from({ length: 24 }, () => 0);
  for (const [local, count] of countsOfWeek(days, zone).entries()) {
    const [weekday, hour] = [Math.floor(local / quartersOfDay), Math.floor((local % quartersOfDay) / 4)];
    byWeekday[weekday] = (byWeekday[weekday] ?? 0) + count;
    byHour[hour] = (byHour[hour] ?? 0) + count;
  }
  return {
    weekday: weekdays.map((label, i) => ({ label, count: byWeekday[i] ?? 0 })),
    hourOfDay: byHour.map((count, hour) => ({ hour, label: `${String(hour).padStart(2, '0')}:00`, count })),
  };
};
