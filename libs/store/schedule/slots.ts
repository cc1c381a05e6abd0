import { parse } from 'node-cron';
import { dayMs, minuteMs } from '#domain/time.ts';

const fieldNames = ['minute', 'hour', 'dayOfMonth', 'month', 'dayOfWeek'] as const;
type FieldName = (typeof fieldNames)[number];

/** The permitted values of each field. Throws for anything but five fields of numbers, ranges and steps. */
const valuesOf = (schedule: string): Record<FieldName, ReadonlySet<unknown>> => {
  if (schedule.trim().split(/\s+/).length !== 5)
    throw new Error(`not a five-field schedule: ${JSON.stringify(schedule)}`);
  try {
    const fields = parse(schedule);
    const odd = fieldNames.flatMap((name) => fields[name]).find((value) => typeof value !== 'number');
    if (odd !== undefined) throw new Error(`${odd} is not a number`);
    return {
      minute: new Set(fields.minute),
      hour: new Set(fields.hour),
      dayOfMonth: new Set(fields.dayOfMonth),
      month: new Set(fields.month),
      dayOfWeek: new Set(fields.dayOfWeek),
    };
  } catch (error) {
    throw new Error(`not a schedule: ${JSON.stringify(schedule)}`, { cause: error });
  }
};

/** A 29 February on a given weekday recurs within 40 years, also across a year 2100. */
const horizonDays = 41 * 366;

/**
 * The last time, at or before `at`, of a five-field schedule. Every field is UTC, so the time zone of the host
 * and its daylight saving time have no effect. Two schedulers whose clocks differ slightly compute the same slot.
 */
export const slotAt = (schedule: string, at: Date): Date => {
  const { minute, hour, dayOfMonth, month, dayOfWeek } = valuesOf(schedule);
  const today = Math.floor(at.getTime() / dayMs) * dayMs;
  for (let back = 0; back < horizonDays; back++) {
    const day = new Date(today - back * dayMs);
    const isListed =
      dayOfMonth.has(day.getUTCDate()) && month.has(day.getUTCMonth() + 1) && dayOfWeek.has(day.getUTCDay());
    if (!isListed) continue;
    const latest = Math.min(Math.floor((at.getTime() - day.getTime()) / minuteMs), 1_439);
    for (let of = latest; of >= 0; of--)
      if (minute.has(of % 60) && hour.has(Math.floor(of / 60)))
        return new Date(day.getTime() + of * minuteMs);
  }
  throw new Error(`the schedule ${schedule} has no time`);
};

/** Minutes between the last two slots. */
export const periodMinutes = (schedule: string, at: Date): number => {
  const last = slotAt(schedule, at);
  const before = slotAt(schedule, new Date(last.getTime() - minuteMs));
  return (last.getTime() - before.getTime()) / minuteMs;
};
