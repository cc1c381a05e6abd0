/** Compares acknowledged work with stored work. */
import { check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';

/** A row that passes when everything acknowledged is stored exactly once. */
export const ledgerRow = (
  what: string,
  acknowledged: Iterable<string>,
  found: Iterable<string>,
  leastAcknowledged = 1,
): Row => {
  const times = new Map<string, number>();
  for (const each of found) times.set(each, (times.get(each) ?? 0) + 1);
  const wanted = [...new Set(acknowledged)];
  const lost = wanted.filter((each) => !times.has(each));
  const doubled = [...times].filter(([, count]) => count > 1);
  return check(
    what,
    lost.length === 0 && doubled.length === 0 && wanted.length >= leastAcknowledged,
    `${wanted.length} acknowledged, ${wanted.length - lost.length} found, ${lost.length} lost, ${doubled.length} doubled`,
    '0 lost, 0 doubled',
  );
};

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

/** A row with the median and the longest of several recoveries. */
export const recoveryRow = (what: string, timesMs: readonly number[], barMs: number): Row => {
  const sorted = timesMs.toSorted((a, b) => a - b);
  const longest = sorted.at(-1) ?? Number.NaN;
  return check(
    what,
    longest < barMs,
    `p50 ${seconds(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN)}, max ${seconds(longest)} of ${sorted.length}`,
    `< ${seconds(barMs)}`,
  );
};

/** Counts of answers by status and error code; only codes that say "try again" are expected in addition to 200. */
export const codesRow = (what: string, seen: ReadonlyMap<string, number>): Row => {
  const wrong = [...seen.keys()].filter((code) => !/^(200|202|503|no connection)/.test(code));
  const text = [...seen]
    .toSorted(([, a], [, b]) => b - a)
    .map(([code, count]) => `${code} x ${count}`)
    .join(', ');
  return check(what, wrong.length === 0, text, '200, 202 or 503');
};
