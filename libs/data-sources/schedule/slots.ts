import { parse } from 'node-cron';

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

const minuteMs = 60_000;
const horizonMinutes = 32 * 24 * 60;

/**
 * The last time, at or before `at`, of a five-field schedule. Every field is UTC, so the time zone of the host
 * and its daylight saving time have no effect. Two schedulers whose clocks differ slightly compute the same slot.
 */
export const slotAt = (schedule: string, at: Date): Date => {
  const { minute, hour, dayOfMonth, month, dayOfWeek } = valuesOf(schedule);
  let time = Math.floor(at.getTime() / minuteMs) * minuteMs;
  for (let back = 0; back < horizonMinutes; back++, time -= minuteMs) {
    const date = new Date(time);
    if (
      minute.has(date.getUTCMinutes()) &&
      hour.has(date.getUTCHours()) &&
      dayOfMonth.has(date.getUTCDate()) &&
      month.has(date.getUTCMonth() + 1) &&
      dayOfWeek.has(date.getUTCDay())
    ) {
      return date;
    }
  }
  throw new Error(`the schedule ${schedule} has no time within a month`);
};

/** Minutes between the last two slots. */
export const periodMinutes = (schedule: string, at: Date): number => {
  const last = slotAt(schedule, at);
  const before = slotAt(schedule, new Date(last.getTime() - minuteMs));
  return (last.getTime() - before.getTime()) / minuteMs;
};
