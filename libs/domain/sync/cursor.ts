/** A client's position in the change feed; opaque to clients. */

/** How long a cursor stays valid. */
export const cursorDays = 30;

export interface Cursor {
  /** Identifies the database, see `row_change_source`. */
  source: string;
  issuedAt: Date;
  /** `pg_snapshot`: everything committed by then has been delivered. */
  seen: string;
  /** Between two pages: their common snapshot, and the last change delivered. */
  page: { until: string; afterId: number } | null;
}

/** A snapshot as Postgres accepts it: the oldest open transaction, the next one, and those open in between. */
const isSnapshot = (text: string): boolean => {
  const [, xmin, xmax, open] = /^(\d{1,18}):(\d{1,18}):((?:\d{1,18},)*\d{1,18})?$/.exec(text) ?? [];
  if (xmin === undefined || xmax === undefined) return false;
  const rising = [xmin, ...(open?.split(',') ?? []), xmax].map(BigInt);
  const isRising = rising.every((xid, i) => i === 0 || (rising[i - 1] ?? 0n) <= xid);
  return isRising && BigInt(xmin) > 0n && (open === undefined || rising.at(-2) !== rising.at(-1));
};

export const cursorText = ({ source, issuedAt, seen, page }: Cursor): string =>
  [
    '1',
    source,
    Math.floor(issuedAt.getTime() / 1_000),
    seen,
    ...(page ? [page.until, page.afterId] : []),
  ].join('~');

/** Null if the text is no cursor. */
export const cursorOf = (text: string): Cursor | null => {
  const [version, source = '', issued = '', seen = '', until, after = ''] = text.split('~');
  if (version !== '1' || !/^\d{1,11}$/.test(issued) || !isSnapshot(seen)) return null;
  if (until !== undefined && !(isSnapshot(until) && /^\d{1,15}$/.test(after))) return null;
  return {
    source,
    issuedAt: new Date(Number(issued) * 1_000),
    seen,
    page: until === undefined ? null : { until, afterId: Number(after) },
  };
};
