/** Places in the log of the primary, and when it was there. */

import { sql } from '../sql.ts';

/** Bytes since the beginning of the log. */
export type LogPosition = bigint;

/** Of the text that Postgres shows of a `pg_lsn`. */
export const positionOf = (text: string): LogPosition => {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
};

/** On the primary: everything that a statement sees was committed before. What is not on the disk of the primary is on no replica. */
export const visiblePosition = sql`CASE current_setting('synchronous_commit')
  WHEN 'off' THEN pg_current_wal_insert_lsn() ELSE pg_current_wal_flush_lsn() END`;

export interface SeenPosition {
  /** Everything that was committed at this time is before it. */
  position: LogPosition;
  /** Of `performance.now()`. */
  atMs: number;
}

const keptMs = 10_000;
const sampleMs = 50;

export interface LogHistory {
  note: (seen: SeenPosition) => void;
  /** How old at most is what a server shows that has replayed the log up to here, in ms; Infinity beyond what is known. */
  ageMs: (position: LogPosition) => number;
}

/** Where the primary was in the last seconds. */
export const createLogHistory = (): LogHistory => {
  let samples: SeenPosition[] = [];
  return {
    note: (seen) => {
      const last = samples.at(-1);
      if (last && seen.atMs - last.atMs < sampleMs) return;
      samples = [...samples.filter(({ atMs }) => seen.atMs - atMs < keptMs), seen];
    },
    ageMs: (position) => {
      const newest = samples.findLast((sample) => sample.position <= position);
      return newest ? performance.now() - newest.atMs : Infinity;
    },
  };
};
