import { readDays, readSpan, withMonthsFirst } from './schedule-days.ts';
import { fixed, maxLength, scheduleTokens } from './schedule-tokens.ts';
import type { ScheduleClock, Token } from './schedule-tokens.ts';
import { nonAirliners } from './vocabulary.ts';

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

type SchedulePeriod =
  | { kind: 'times'; days: ScheduleDays; from: ScheduleClock; to: ScheduleClock }
  /** Continuous from one day and time to another. */
  | { kind: 'span'; from: SpanEdge; to: SpanEdge }
  /** ISO 8601 in UTC. */
  | { kind: 'interval'; from: string; to: string };

export interface Schedule {
  periods: SchedulePeriod[];
  except: ScheduleDays[];
  /** Exceptions that need an unavailable calendar, for example "EXC HOL". */
  notes: string[];
}

type Time = Extract<Token, { t: 'time' }>;

const onDays = (times: readonly Time[], days: ScheduleDays): SchedulePeriod[] =>
  times.map(({ from, to }) => ({ kind: 'times', days, from, to }));

/** "0400-0630,0630-0722 ON 6,0050-0255 ON 7": times with the days behind them. Null: no "ON" follows the times. */
const readTimesOnDays = (list: Token[], at: number, month: number | undefined) => {
  const times: Time[] = [];
  let i = at;
  for (let token = list[i]; token?.t === 'time' || (token?.t === 'comma' && i > at); token = list[i]) {
    if (token.t === 'time') times.push(token);
    i += 1;
  }
  if (times.length === 0 || list[i]?.t !== 'on') return null;
  const read = readDays(list, i + 1, month);
  const isEnded = [undefined, 'comma', 'except'].includes(list[read?.next ?? 0]?.t);
  if (!read?.days || !isEnded) return 'ambiguous';
  return { periods: onDays(times, read.days), days: read.days, next: read.next, month: read.month };
};

const trafficBehind = /\sEXC(?:EPT)?\s+([A-Z][^,;]*)$/i;

/** A schedule without an exception for traffic that is never an airliner ("EXC LIFE FLT 1HR PPR"), which is noted. */
const withoutTraffic = (raw: string): [string, string[]] => {
  const found = raw.length > maxLength ? null : trafficBehind.exec(raw);
  const words = found?.[1]?.toUpperCase() ?? '';
  return found && nonAirliners.test(words)
    ? [raw.slice(0, found.index), [`exception not applied: "${words}"`]]
    : [raw, []];
};

/**
 * Parses item D (or the FAA's schedule text). Null means it could not be parsed completely: the effect is then
 * possibly in force at any time of the validity and must be flagged. Days without a month are kept as they are;
 * the evaluation knows the validity. Years of two digits are those within 50 years of `now`.
 */
export const parseSchedule = (raw: string, now?: Date): Schedule | null => {
  const [when, notes] = withoutTraffic(raw);
  const tokens = scheduleTokens(when, now);
  const list = tokens && withMonthsFirst(tokens);
  if (!list || list.length === 0) return null;
  const schedule: Schedule = { periods: [], except: [], notes };
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
    if (token?.t === 'interval') {
      schedule.periods.push({ kind: 'interval', from: token.from, to: token.to });
      previous = null;
      i += 1;
      continue;
    }
    const grouped = readTimesOnDays(list, i, month);
    if (grouped === 'ambiguous') return null;
    if (grouped) {
      schedule.periods.push(...grouped.periods);
      ({ next: i, month } = grouped);
      previous = grouped.days;
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
    const times: Time[] = [];
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
    schedule.periods.push(...onDays(times, days));
    // "OCT 07 - NOV 02 1500-2330 DLY"
    if (read.days?.kind === 'dates' && list[i]?.t === 'daily') i += 1;
    previous = days;
  }
  return schedule.periods.length > 0 ? schedule : null;
};
