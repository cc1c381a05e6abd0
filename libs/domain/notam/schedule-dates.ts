import type { Token } from './schedule-tokens.ts';

/** Where the days begin that belong to the month behind them: "07 08 MAR", "26-30 APR", but only "30" in "26 MAR - 30 APR". */
const firstDayOf = (list: readonly Token[], at: number): number => {
  let first = at;
  for (;;) {
    if (list[first - 1]?.t === 'day') first -= 1;
    else if (first < at && list[first - 1]?.t === 'dash' && list[first - 2]?.t === 'day') first -= 2;
    else return first;
  }
};

/** "01 JAN", "01 02 JAN": the days from here on are followed by a month. */
const hasMonthBehind = (list: readonly Token[], at: number): boolean => {
  let i = at;
  while (list[i]?.t === 'day' || (list[i]?.t === 'dash' && list[i + 1]?.t === 'day')) i += 1;
  return list[i]?.t === 'month';
};

/**
 * Dates written with the day first ("26 MAR - 30 APR", "25 DEC 01 JAN", "20 APR 1319-1428, 21 APR 1314-1424") with the
 * month first. Other lists stay as they are. Null: days behind a month that may belong to it or to the next one.
 */
export const withMonthsFirst = (list: Token[]): Token[] | null => {
  const months = list.flatMap((token, at) => (token.t === 'month' ? [at] : []));
  const isDayFirst = months.length > 0 && months.every((at) => list[at - 1]?.t === 'day');
  if (!isDayFirst) return list;
  if (months.some((at) => list[at + 1]?.t === 'day' && !hasMonthBehind(list, at + 1))) return null;
  const out = [...list];
  for (const at of months) {
    const first = firstDayOf(list, at);
    out.splice(first, at - first + 1, list[at]!, ...list.slice(first, at));
  }
  return out;
};
