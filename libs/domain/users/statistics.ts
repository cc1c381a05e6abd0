/** `userStatistics` (M-2.7.t*): usage habits over all calculations of a user, in the user's time zone. */
import { z } from 'zod';
import { atMostCharacters } from '../fields/index.ts';

export const usageHabitsSchema = z.strictObject({
  weekday: z.array(z.strictObject({ label: z.string(), count: z.int() })),
  hourOfDay: z.array(z.strictObject({ hour: z.int().min(0).max(23), label: z.string(), count: z.int() })),
});

interface Zone {
  /** Formats weekday and time, as in `Monday 07:45`. */
  format: Intl.DateTimeFormat;
  /** Cached results of `evenFrom` for UTC weeks, by their start. */
  weeks: Map<number, number | null>;
}

/** More than users' time zones; letter case and offsets would allow any number. */
const maxZones = 100;
const zones = new Map<string, Zone>();

/** Null for an unknown zone. Cached, since constructing one takes 40 µs. */
const zoneOf = (name: string): Zone | null => {
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
    const zone = { format, weeks: new Map() };
    zones.set(name, zone);
    return zone;
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

const dayMs = quartersOfDay * quarterMs;
const weekMs = 7 * dayMs;

/** Quarter hours from the start of the local week to `at`; null if the clock changes within the span starting there. */
const evenFrom = (format: Intl.DateTimeFormat, at: number, spanMs: number): number | null => {
  const first = localOf(format, at);
  const last = localOf(format, at + spanMs - quarterMs);
  return last === (first + spanMs / quarterMs - 1) % quartersOfWeek ? first : null;
};

/** Number of calculations per quarter hour of the local week. */
const countsOfWeek = (days: readonly DayOfUse[], { format, weeks }: Zone): Float64Array => {
  const counts = new Float64Array(quartersOfWeek);
  // Formatting takes microseconds, so days are formatted only in a week with a clock change, and single times only on
  // the day of the change. No zone has two changes in a week.
  const firstOf = (start: number): number | null => {
    const week = Math.floor(start / weekMs) * weekMs;
    if (!weeks.has(week)) weeks.set(week, evenFrom(format, week, weekMs));
    const first = weeks.get(week) ?? null;
    return first === null ? evenFrom(format, start, dayMs) : first + (start - week) / quarterMs;
  };
  for (const { day, times } of days) {
    const start = Date.parse(day);
    const first = firstOf(start);
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
