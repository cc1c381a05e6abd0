import { maxLength, scheduleTokens, wholeDay } from './schedule-tokens.ts';
import type { ScheduleClock, Token } from './schedule-tokens.ts';
import { lettersOf, nonAirliners } from './vocabulary.ts';

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

/**
 * Moves the month before the day ("26 MAR - 30 APR", "25 DEC 01 JAN", "20 APR 1319-1428, 21 APR 1314-1424"). Other
 * lists stay unchanged. Null: days after a month could belong to it or to the next month.
 */
const withMonthsFirst = (list: readonly Token[]): readonly Token[] | null => {
  const kinds = lettersOf(list);
  if (!kinds.includes('M') || /(?:^|[^D])M/.test(kinds)) return list;
  if (/MD(?!(?:-?D)*M)/.test(kinds)) return null;
  const out = [...list];
  // "07 08 MAR", "26-30 APR", but only "30" in "26 MAR - 30 APR".
  for (const { 0: days, index } of kinds.matchAll(/D(?:-?D)*(?=M)/g))
    out.splice(index, 0, ...out.splice(index + days.length, 1));
  return out;
};

const date = 'M?D(?:-M?D)?';
const weekdays = 'W(?:-W)?';
/** "18-19 DAILY" is every day of the dates. */
const dates = (comma: string): string => `Y*${date}(?:Y|${comma}${date})*`;
const anyDays = (comma: string): string => `${dates(comma)}|${weekdays}(?:${comma}${weekdays})*|Y+`;
/** The longest possible list of days; commas may separate days of one kind: "SEP 21, OCT 12 19 DAILY 0515-1015". */
const days = String.raw`(?=(?<days>${anyDays(',?')}))\k<days>`;

/** One entry of a schedule. */
const entry = new RegExp(
  [
    ',',
    'X(?<holiday>H)',
    // "EXC SAT 0800-1000" limits the exception itself, which is not supported.
    String.raw`X(?=(?<except>${anyDays('')}))\k<except>(?![TC])`,
    '(?<interval>I)',
    // "0400-0630,0630-0722 ON 6,0050-0255 ON 7": times before their days.
    `(?<times>T[T,]*)O${days}(?=[,X]|$)`,
    // "11 0630-13 1600", "MON 0800-FRI 1600", "JAN 31 1400-FEB 01 1630": one continuous period over several days
    '(?<span>M?DC-M?DC|M?WC-M?WC)',
    // "OCT 07 - NOV 02 1500-2330 DLY"
    String.raw`(?=(?<days>${dates(',?')}))\k<days>(?<times>T+)Y?`,
    `${days}(?<times>T+)`,
    // Days without times are whole days ("JAN 05 12 FEB 02").
    `${days}(?=[,X]|$)`,
    // "1600-2200 DLY": only days follow the times.
    `(?<only>T+)${days}(?=X|$)`,
    '(?<times>T+)(?![YWMD])',
  ].join('|'),
  'dgy',
);

/** The current month, for days without one. */
interface Calendar {
  month?: number;
}

/** One day or a range; in "JAN 30-02" and "30-02 FEB" (month moved first), only one of the days is in that month. */
const datesOf = (tokens: readonly Token[], calendar: Calendar): ScheduleDate[] => {
  const found: ScheduleDate[] = [];
  for (const token of tokens) {
    if (token.t === 'M') calendar.month = token.number;
    if (token.t === 'D') found.push({ ...calendar, day: token.number });
  }
  const [from, to] = found;
  if (from?.month === undefined || from.month !== to?.month || to.day >= from.day) return found;
  delete calendar.month;
  return [{ day: from.day }, { day: to.day }];
};

const oneDay = new RegExp(`${weekdays}|${date}`, 'g');

const daysOf = (tokens: readonly Token[], calendar: Calendar): ScheduleDays => {
  const ranges: { from: ScheduleDate; to: ScheduleDate }[] = [];
  const named: number[] = [];
  for (const { 0: one, index } of lettersOf(tokens).matchAll(oneDay)) {
    const those = tokens.slice(index, index + one.length);
    const [first, last] = [those[0], those.at(-1)];
    if (first?.t === 'W' && last?.t === 'W') {
      const count = ((last.number - first.number + 7) % 7) + 1;
      named.push(...Array.from({ length: count }, (_, i) => (first.number + i) % 7));
    } else {
      const [from, to = from] = datesOf(those, calendar);
      if (from && to) ranges.push({ from, to });
    }
  }
  if (named.length > 0) return { kind: 'weekdays', days: named };
  return ranges.length > 0 ? { kind: 'dates', ranges } : { kind: 'daily' };
};

const spanOf = (tokens: readonly Token[], calendar: Calendar): SchedulePeriod[] => {
  const minutes = tokens.flatMap((token) => (token.t === 'C' ? token.number : []));
  const weekdaysOf = tokens.flatMap((token) => (token.t === 'W' ? { weekday: token.number } : []));
  const [first, last] = [...weekdaysOf, ...datesOf(tokens, calendar)];
  const [from = 0, to = 0] = minutes;
  return first && last
    ? [{ kind: 'span', from: { day: first, minute: from }, to: { day: last, minute: to } }]
    : [];
};

const periodsOf = (tokens: readonly Token[], named: ScheduleDays = { kind: 'daily' }): SchedulePeriod[] =>
  tokens.flatMap((token): SchedulePeriod[] => {
    if (token.t === 'T') return [{ kind: 'times', days: named, from: token.from, to: token.to }];
    return token.t === 'I' ? [{ kind: 'interval', from: token.from, to: token.to }] : [];
  });

const trafficBehind = /\sEXC(?:EPT)?\s+([A-Z][^,;]*)$/i;

/** Removes exceptions for traffic that is never an airliner ("EXC LIFE FLT 1HR PPR") and notes them. */
const withoutTraffic = (raw: string): [string, string[]] => {
  const found = raw.length > maxLength ? null : trafficBehind.exec(raw);
  const words = found?.[1]?.toUpperCase() ?? '';
  return found && nonAirliners.test(words)
    ? [raw.slice(0, found.index), [`exception not applied: "${words}"`]]
    : [raw, []];
};

/**
 * Parses item D or the schedule text of the FAA. Null: not parsed completely, so the effect may be in force at any time
 * in the validity and must be flagged. Days without a month stay so, because only the evaluation knows the validity.
 * Two-digit years are within 50 years of `now`.
 */
export const parseSchedule = (raw: string, now?: Date): Schedule | null => {
  const [when, notes] = withoutTraffic(raw);
  const tokens = scheduleTokens(when, now);
  const list = tokens && withMonthsFirst(tokens);
  if (!list) return null;
  const schedule: Schedule = { periods: [], except: [], notes };
  const { periods, except } = schedule;
  const calendar: Calendar = {};
  const all = lettersOf(list);
  /** Day kind of the previous period. */
  let previous: ScheduleDays['kind'] | null = null;
  let end = 0;
  for (const { 0: whole, index, indices } of all.matchAll(entry)) {
    end = index + whole.length;
    const at = (group: string): readonly Token[] => list.slice(...(indices?.groups?.[group] ?? [0, 0]));
    const [excepted, named, only] = [at('except'), at('days'), at('only')];
    const times = [...at('times'), ...only];
    if (at('holiday').length > 0) schedule.notes.push('holidays are not known');
    else if (excepted.length > 0) except.push(daysOf(excepted, {}));
    else if (only.length > 0 && periods.length > 0) return null;
    else if (named.length + times.length > 0) {
      // After named days, times without days are ambiguous.
      if (named.length === 0 && previous !== null && previous !== 'daily') return null;
      const those = daysOf(named, calendar);
      // After an exception, days without times could belong to it.
      if (times.length === 0 && (those.kind === 'daily' || except.length > 0)) return null;
      periods.push(...periodsOf(times.length > 0 ? times : [wholeDay], those));
      previous = those.kind;
    } else if (whole !== ',') {
      periods.push(...spanOf(at('span'), calendar), ...periodsOf(at('interval')));
      previous = null;
    }
  }
  return end === all.length && periods.length > 0 && except.every(({ kind }) => kind !== 'daily')
    ? schedule
    : null;
};
