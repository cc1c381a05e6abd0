import type { ScheduleDate, ScheduleDays, SpanEdge } from './schedule.ts';
import type { Token } from './schedule-tokens.ts';

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

/** "JAN 30-02", and "30-02 FEB" with its month first: the month is that of one of the two days only. */
const isBackward = (from: ScheduleDate, to: ScheduleDate): boolean =>
  from.month !== undefined && from.month === to.month && to.day < from.day;

/** Reads weekdays or dates from `at`; stops before a time or an exception, and before a comma unless `joins`. Null when malformed. */
export const readDays = (list: Token[], at: number, month: number | undefined, joins = true): Days | null => {
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
      if (isBackward(from.date, to)) {
        month = undefined;
        ranges.push({ from: { day: from.date.day }, to: { day: to.day } });
      } else ranges.push({ from: from.date, to });
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
export const readSpan = (list: Token[], at: number, month: number | undefined) => {
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
  if (!to) return null;
  const [first, last] = [from.edge.day, to.edge.day];
  if ('weekday' in first !== 'weekday' in last) return null;
  const period = { kind: 'span' as const, from: from.edge, to: to.edge };
  if ('weekday' in first || 'weekday' in last || !isBackward(first, last))
    return { period, next: to.next, month: current };
  period.from.day = { day: first.day };
  period.to.day = { day: last.day };
  return { period, next: to.next, month: undefined };
};

const letters = { day: 'D', month: 'M', dash: '-' } as const;

/**
 * Dates written with the day first ("26 MAR - 30 APR", "25 DEC 01 JAN", "20 APR 1319-1428, 21 APR 1314-1424") with the
 * month first. Other lists stay as they are. Null: days behind a month that may belong to it or to the next one.
 */
export const withMonthsFirst = (list: Token[]): Token[] | null => {
  const kinds = list
    .map(({ t }) => (t === 'day' || t === 'month' || t === 'dash' ? letters[t] : ' '))
    .join('');
  if (!kinds.includes('M') || /(?:^|[^D])M/.test(kinds)) return list;
  if (/MD(?!(?:-?D)*M)/.test(kinds)) return null;
  const out = [...list];
  // "07 08 MAR", "26-30 APR", but only "30" in "26 MAR - 30 APR".
  for (const { 0: days, index } of kinds.matchAll(/D(?:-?D)*(?=M)/g))
    out.splice(index, 0, ...out.splice(index + days.length, 1));
  return out;
};
