import { fixed, scheduleTokens } from './schedule-tokens.ts';
import type { ScheduleClock } from './schedule-clock.ts';

import type { Token } from './schedule-tokens.ts';

export type { ScheduleClock } from './schedule-clock.ts';

/** A day of item D; `month` 1-12 is absent when only the day number is given. */
export interface ScheduleDate {
  month?: number;
  day: number;
}

export type ScheduleDays =
  | { kind: 'daily' }
  /** 0 = Sunday, as in `Date.getUTCDay`. */
  | { kind: 'weekdays'; days: number[] }
  | { kind: 'dates'; ranges: { from: ScheduleDate; to: ScheduleDate }[] };

export interface SpanEdge {
  day: ScheduleDate | { weekday: number };
  minute: number;
}

export type SchedulePeriod =
  | { kind: 'times'; days: ScheduleDays; from: ScheduleClock; to: ScheduleClock }
  /** Continuous from one day and time to another. */
  | { kind: 'span'; from: SpanEdge; to: SpanEdge };

export interface Schedule {
  periods: SchedulePeriod[];
  except: ScheduleDays[];
  /** Exceptions that need an unavailable calendar, for example "EXC HOL". */
  notes: string[];
}

interface Days {
  days: ScheduleDays | null;
  next: number;
  month: number | undefined;
}

/** "SEP 21, OCT 12 19 DAILY 0515-1015": a comma between days of one kind. */
const isDayOfList = (next: Token | undefined, afterWeekdays: boolean, afterDates: boolean): boolean =>
  (afterWeekdays && next?.t === 'weekday') || (afterDates && (next?.t === 'day' || next?.t === 'month'));

const weekdayRange = (from: number, to: number): number[] =>
  Array.from({ length: ((to - from + 7) % 7) + 1 }, (_, i) => (from + i) % 7);

/** Reads weekdays or dates from `at`; stops before a time or an exception, and before a comma unless `joins`. Null when malformed. */
const readDays = (list: Token[], at: number, month: number | undefined, joins = true): Days | null => {
  const days: number[] = [];
  const ranges: { from: ScheduleDate; to: ScheduleDate }[] = [];
  let daily = false;
  let i = at;
  const dateAt = (index: number): { date: ScheduleDate; next: number } | null => {
    const first = list[index];
    const second = list[index + 1];
    if (first?.t === 'month' && second?.t === 'day') {
      month = first.month;
      return { date: { month, day: second.day }, next: index + 2 };
    }
    if (first?.t !== 'day') return null;
    return { date: month === undefined ? { day: first.day } : { month, day: first.day }, next: index + 1 };
  };
  for (;;) {
    const token = list[i];
    if (token?.t === 'daily') {
      daily = true;
      i += 1;
    } else if (token?.t === 'weekday') {
      const end = list[i + 2];
      const isRange = list[i + 1]?.t === 'dash' && end?.t === 'weekday';
      days.push(...(isRange ? weekdayRange(token.day, end.day) : [token.day]));
      i += isRange ? 3 : 1;
    } else if (token?.t === 'day' || token?.t === 'month') {
      const from = dateAt(i);
      if (!from) return null;
      i = from.next;
      let to = from.date;
      if (list[i]?.t === 'dash') {
        const end = dateAt(i + 1);
        if (!end) return null;
        to = end.date;
        i = end.next;
      }
      ranges.push({ from: from.date, to });
    } else if (joins && token?.t === 'comma' && isDayOfList(list[i + 1], days.length > 0, ranges.length > 0))
      i += 1;
    else break;
  }
  // "18-19 DAILY" is every day of the dates.
  if (days.length > 0 && (daily || ranges.length > 0)) return null;
  if (days.length > 0) return { days: { kind: 'weekdays', days }, next: i, month };
  if (ranges.length > 0) return { days: { kind: 'dates', ranges }, next: i, month };
  return { days: daily ? { kind: 'daily' } : null, next: i, month };
};

/**
 * "11 0630-13 1600", "MON 0800-FRI 1600", "JAN 31 1400-FEB 01 1630": one continuous period over several days.
 */
const readSpan = (list: Token[], at: number, month: number | undefined) => {
  let current = month;
  const edge = (index: number): { edge: SpanEdge; next: number } | null => {
    let i = index;
    const named = list[i];
    if (named?.t === 'month') {
      current = named.month;
      i += 1;
    }
    const day = list[i];
    const clock = list[i + 1];
    if (clock?.t !== 'clock') return null;
    if (day?.t === 'weekday')
      return { edge: { day: { weekday: day.day }, minute: clock.minute }, next: i + 2 };
    if (day?.t !== 'day') return null;
    const date = current === undefined ? { day: day.day } : { month: current, day: day.day };
    return { edge: { day: date, minute: clock.minute }, next: i + 2 };
  };
  const from = edge(at);
  if (!from || list[from.next]?.t !== 'dash') return null;
  const to = edge(from.next + 1);
  if (!to || 'weekday' in from.edge.day !== 'weekday' in to.edge.day) return null;
  return { period: { kind: 'span' as const, from: from.edge, to: to.edge }, next: to.next, month: current };
};

/**
 * Parses item D (or the FAA's schedule text). Null means it could not be parsed completely: the effect is then
 * possibly in force at any time of the validity and must be flagged. Days without a month are kept as they are;
 * the evaluation knows the validity.
 */
export const parseSchedule = (raw: string): Schedule | null => {
  const list = scheduleTokens(raw);
  if (!list || list.length === 0) return null;
  const schedule: Schedule = { periods: [], except: [], notes: [] };
  let month: number | undefined;
  let previous: ScheduleDays | null = null;
  let i = 0;
  while (i < list.length) {
    const token = list[i];
    if (token?.t === 'comma') {
      i += 1;
      continue;
    }
    if (token?.t === 'except') {
      if (list[i + 1]?.t === 'holiday') {
        schedule.notes.push('holidays are not known');
        i += 2;
        continue;
      }
      const excepted = readDays(list, i + 1, undefined, false);
      if (!excepted?.days || excepted.days.kind === 'daily') return null;
      // "EXC SAT 0800-1000" limits the exception itself: not supported.
      if (list[excepted.next]?.t === 'time' || list[excepted.next]?.t === 'clock') return null;
      schedule.except.push(excepted.days);
      i = excepted.next;
      continue;
    }
    const span = readSpan(list, i, month);
    if (span) {
      schedule.periods.push(span.period);
      ({ next: i, month } = span);
      previous = null;
      continue;
    }
    const read = readDays(list, i, month);
    if (!read) return null;
    ({ next: i, month } = read);
    const after = list[i];
    if (after?.t !== 'time') {
      // The schedule ends with days without times ("JAN 05 12 FEB 02"): they count as whole days.
      const ended = after === undefined || after.t === 'except' || after.t === 'comma';
      // After an exception they may belong to it.
      if (!read.days || read.days.kind === 'daily' || !ended || schedule.except.length > 0) return null;
      schedule.periods.push({ kind: 'times', days: read.days, from: fixed(0), to: fixed(1440) });
      previous = read.days;
      continue;
    }
    // Times alone after a comma continue a daily schedule; after named days their meaning is ambiguous.
    if (!read.days && previous && previous.kind !== 'daily') return null;
    const times: Extract<Token, { t: 'time' }>[] = [];
    for (let time = list[i]; time?.t === 'time'; time = list[i]) {
      times.push(time);
      i += 1;
    }
    // "1600-2200 DLY": the days follow, and nothing else does.
    const behind = read.days ? null : readDays(list, i, month);
    const isLast = behind === null || [undefined, 'except'].includes(list[behind.next]?.t);
    if (behind?.days && (schedule.periods.length > 0 || !isLast)) return null;
    if (behind?.days) i = behind.next;
    const days: ScheduleDays = read.days ?? behind?.days ?? { kind: 'daily' };
    for (const { from, to } of times) schedule.periods.push({ kind: 'times', days, from, to });
    previous = days;
  }
  return schedule.periods.length > 0 ? schedule : null;
};
