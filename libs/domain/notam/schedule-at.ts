import type { Position } from '../airports/types.ts';
import { sunOfDay } from '../sun.ts';
import { dayMs, minuteMs } from '../time.ts';
import type { Schedule, ScheduleDate, ScheduleDays, SpanEdge } from './schedule.ts';
import type { ScheduleClock } from './schedule-tokens.ts';
import { isValidAt } from './types.ts';
import type { Notam } from './types.ts';

export type InForce = 'active' | 'inactive' | 'unknown';

/** Day numbers without a month are unambiguous only inside a validity of at most one month. */
const longestMonthMs = 31 * dayMs + dayMs;

const dayStart = (ms: number): number => Math.floor(ms / dayMs) * dayMs;

interface Frame {
  position: Position | null;
  monthsKnown: boolean;
}

const isDate = (date: ScheduleDate, at: Date): boolean =>
  at.getUTCDate() === date.day && (date.month === undefined || at.getUTCMonth() + 1 === date.month);

const inRange = ({ from, to }: { from: ScheduleDate; to: ScheduleDate }, at: Date): boolean => {
  const hasMonths = from.month !== undefined && to.month !== undefined;
  const valueOf = ({ month = 0, day }: ScheduleDate) => (hasMonths ? month * 100 : 0) + day;
  const value = valueOf({ month: at.getUTCMonth() + 1, day: at.getUTCDate() });
  const [first, last] = [valueOf(from), valueOf(to)];
  return first <= last ? value >= first && value <= last : value >= first || value <= last;
};

const needsMonth = (days: ScheduleDays): boolean =>
  days.kind === 'dates' &&
  days.ranges.some(({ from, to }) => from.month === undefined || to.month === undefined);

const matchesDay = (days: ScheduleDays, startMs: number): boolean => {
  const at = new Date(startMs);
  if (days.kind === 'daily') return true;
  if (days.kind === 'weekdays') return days.days.includes(at.getUTCDay());
  return days.ranges.some((range) => inRange(range, at));
};

const clockMs = (clock: ScheduleClock, startMs: number, frame: Frame): number | null => {
  // 2359 means the end of the day.
  if (clock.kind === 'fixed') return startMs + (clock.minute === 1439 ? 1440 : clock.minute) * minuteMs;
  if (!frame.position) return null;
  const { sunriseMs, sunsetMs } = sunOfDay(startMs, frame.position);
  const event = clock.kind === 'sunrise' ? sunriseMs : sunsetMs;
  return event === null ? null : event + clock.offsetMin * minuteMs;
};

const edgeMatches = ({ day }: SpanEdge, startMs: number): boolean =>
  'weekday' in day ? new Date(startMs).getUTCDay() === day.weekday : isDate(day, new Date(startMs));

/** A span is shorter than a year; "unknown" if one of its days does not exist. */
const spanAt = (from: SpanEdge, to: SpanEdge, nowMs: number): InForce => {
  for (let start = dayStart(nowMs), back = 0; back <= 366; back++, start -= dayMs) {
    const startMs = start + from.minute * minuteMs;
    if (startMs > nowMs || !edgeMatches(from, start)) continue;
    for (let end = start, ahead = 0; ahead < 365; ahead++, end += dayMs) {
      const endMs = end + to.minute * minuteMs;
      if (endMs > startMs && edgeMatches(to, end)) return nowMs < endMs ? 'active' : 'inactive';
    }
    return 'unknown';
  }
  return 'unknown';
};

/** Whether a schedule is active at `nowMs`; "unknown" when it depends on an unknown month or sun time. */
export const scheduleAt = (schedule: Schedule, nowMs: number, frame: Frame): InForce => {
  let unknown = false;
  const excepted = (start: number): boolean =>
    schedule.except.some((days) => {
      if (needsMonth(days) && !frame.monthsKnown) unknown = true;
      return matchesDay(days, start);
    });
  for (const period of schedule.periods) {
    if (period.kind === 'interval') {
      if (nowMs >= Date.parse(period.from) && nowMs < Date.parse(period.to)) return 'active';
      continue;
    }
    if (period.kind === 'span') {
      const { day } = period.from;
      if ('day' in day && day.month === undefined && !frame.monthsKnown) unknown = true;
      else {
        const state = spanAt(period.from, period.to, nowMs);
        if (state === 'active') return state;
        unknown ||= state === 'unknown';
      }
      continue;
    }
    if (needsMonth(period.days) && !frame.monthsKnown) {
      unknown = true;
      continue;
    }
    // A period belongs to its start day; a local sun day may start on the UTC day before or after.
    for (const offset of [-1, 0, 1]) {
      const start = dayStart(nowMs) + offset * dayMs;
      if (!matchesDay(period.days, start) || excepted(start)) continue;
      const from = clockMs(period.from, start, frame);
      let to = clockMs(period.to, start, frame);
      if (from !== null && to !== null && to <= from) to = clockMs(period.to, start + dayMs, frame);
      if (from === null || to === null) unknown = true;
      else if (nowMs >= from && nowMs < to) return 'active';
    }
  }
  return unknown ? 'unknown' : 'inactive';
};

/**
 * Whether a NOTAM is in force at `now`, by validity and then schedule. "unknown" means possibly in force: the schedule
 * could not be read or evaluated. A NOTAM past its estimated end stays "unknown" for a month or until it is replaced.
 * Sunrise and sunset are computed for the aerodrome's `position`, else for that in item Q.
 */
export const inForceAt = (
  notam: Pick<Notam, 'type' | 'fromUtc' | 'toUtc' | 'isEstimated' | 'scheduleRaw' | 'schedule' | 'position'>,
  now: Date,
  position: Position | null = null,
): InForce => {
  if (!isValidAt(notam, now)) return 'inactive';
  const nowMs = now.getTime();
  const toMs = notam.toUtc === null ? Infinity : Date.parse(notam.toUtc);
  const overdue = nowMs >= toMs;
  if (notam.scheduleRaw === null) return overdue ? 'unknown' : 'active';
  if (!notam.schedule) return 'unknown';
  const monthsKnown = toMs - Date.parse(notam.fromUtc) <= longestMonthMs;
  const state = scheduleAt(notam.schedule, nowMs, { position: position ?? notam.position, monthsKnown });
  return overdue && state === 'active' ? 'unknown' : state;
};
