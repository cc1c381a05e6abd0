import { CronExpressionParser } from 'cron-parser';
import { minuteMs } from '#domain/time.ts';

/**
 * The last time, at or before `at`, of a five-field schedule. Every field is UTC, so the time zone of the host
 * and its daylight saving time have no effect. Two schedulers whose clocks differ slightly compute the same slot.
 */
export const slotAt = (schedule: string, at: Date): Date => {
  if (schedule.trim().split(/\s+/).length !== 5)
    throw new Error(`not a five-field schedule: ${JSON.stringify(schedule)}`);
  try {
    const currentDate = new Date(at.getTime() + 1);
    return CronExpressionParser.parse(schedule, { currentDate, tz: 'UTC' }).prev().toDate();
  } catch (error) {
    throw new Error(`not a schedule: ${JSON.stringify(schedule)}`, { cause: error });
  }
};

/** Minutes between the last two slots. */
export const periodMinutes = (schedule: string, at: Date): number => {
  const last = slotAt(schedule, at);
  const before = slotAt(schedule, new Date(last.getTime() - minuteMs));
  return (last.getTime() - before.getTime()) / minuteMs;
};
