import { hash } from 'node:crypto';
import type { RequestLogRow, SharedText } from '#data/postgres/requests/log.ts';

/** Shorter responses are compressed together with their neighbours, which costs less. */
const minLength = 16_384;
const maxKept = 24;
const maxKeptLength = 8_388_608;
const step = 1_024;

interface Seen {
  query: string | null;
  text: string;
  shared: SharedText | null;
}

/** The first or the second half of a surrogate pair. */
const isHalf = (text: string, at: number, half: 0xd800 | 0xdc00): boolean =>
  (text.charCodeAt(at) & 0xfc00) === half;

/** Number of characters at the beginning that are the same; does not part a surrogate pair. */
const commonHead = (a: string, b: string): number => {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at + step <= end && a.slice(at, at + step) === b.slice(at, at + step)) at += step;
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return at > 0 && isHalf(a, at - 1, 0xd800) ? at - 1 : at;
};

/** The same at the end, within the last `end` characters. */
const commonTail = (a: string, b: string, end: number): number => {
  const tail = (text: string, from: number, length: number) =>
    text.slice(text.length - from - length, text.length - from);
  let at = 0;
  while (at + step <= end && tail(a, at, step) === tail(b, at, step)) at += step;
  while (at < end && a.charCodeAt(a.length - at - 1) === b.charCodeAt(b.length - at - 1)) at += 1;
  return at > 0 && isHalf(a, a.length - at, 0xdc00) ? at - 1 : at;
};

/**
 * Finds large responses that are the same as a recent one of the same operation, or differ only in one place, such as
 * the subscription in front of a long list. From the second on only the difference is logged, next to a reference. Of
 * each process, the latest are remembered.
 */
export const createCommonTexts = (): ((row: RequestLogRow) => RequestLogRow) => {
  let seen: Seen[] = [];

  const remember = (latest: Seen) => {
    seen = [latest, ...seen.filter((each) => each !== latest)];
    let length = 0;
    seen = seen.filter(({ text }, i) => i < maxKept && (length += text.length) <= maxKeptLength);
  };

  return (row) => {
    const { query, response } = row;
    if (row.sharedResponse || response === null || response.length < minLength) return row;
    for (const known of seen) {
      if (known.query !== query) continue;
      const head = commonHead(known.text, response);
      const tail = commonTail(known.text, response, Math.min(known.text.length, response.length) - head);
      if (head + tail < response.length / 2) continue;
      known.shared ??= { digest: hash('sha256', known.text, 'buffer'), text: known.text };
      remember(known);
      const between = response.slice(head, response.length - tail);
      return { ...row, response: between, sharedResponse: { of: known.shared, head, tail } };
    }
    remember({ query, text: response, shared: null });
    return row;
  };
};
