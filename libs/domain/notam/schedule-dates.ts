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

/**
 * Dates written with the day first ("26 MAR - 30 APR", "20 APR 1319-1428, 21 APR 1314-1424") with the month first. Other
 * lists stay as they are. Null: days on both sides of a month.
 */
export const withMonthsFirst = (list: Token[]): Token[] | null => {
  const months = list.flatMap((token, at) => (token.t === 'month' ? [at] : []));
  const isDayFirst = months.length > 0 && months.every((at) => list[at - 1]?.t === 'day');
  if (!isDayFirst) return list;
  if (months.some((at) => list[at + 1]?.t === 'day')) return null;
  const out = [...list];
  for (const at of months) {
    const first = firstDayOf(list, at);
    out.splice(first, at - first + 1, list[at]!, ...list.slice(first, at));
  }
  return out;
};
