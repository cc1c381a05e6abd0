import { sql } from '../sql.ts';
import type { Tx } from '../sql.ts';

export interface Count {
  key: string;
  windowStart: Date;
  perSeconds: number;
  by: number;
}

export interface Sliding {
  used: number;
  oldest: Date | null;
}

/** Counters shared by all processes; rows expire with their window and are swept. */
export const rateLimitWrites = (tx: Tx) => ({
  /** Adds to many counters in one statement and returns the totals, in the order of `counts`. */
  add: async (counts: readonly Count[]): Promise<number[]> => {
    const rows = await tx.any<{ key: string; start: Date; used: number }>(sql`
      INSERT INTO rate_limit (key, window_start, used, expires_at)
      SELECT c.key, c.start, c.by, c.start + make_interval(secs => c.seconds)
      FROM unnest(${counts.map((c) => c.key)}::text[], ${counts.map((c) => c.windowStart)}::timestamptz[],
        ${counts.map((c) => c.by)}::int[], ${counts.map((c) => c.perSeconds)}::float8[]) AS c (key, start, by, seconds)
      ON CONFLICT (key, window_start) DO UPDATE SET used = rate_limit.used + excluded.used
      RETURNING key, window_start AS start, used`);
    const totals = new Map(rows.map((row) => [`${row.key} ${row.start.getTime()}`, row.used]));
    return counts.map((c) => totals.get(`${c.key} ${c.windowStart.getTime()}`) ?? c.by);
  },

  /**
   * Adds to a count that slides: what was used in the last `perSeconds` until `at`, and when the oldest of it was. Calls
   * of one key take turns.
   */
  slide: async ({ key, at, perSeconds, by }: Omit<Count, 'windowStart'> & { at: Date }): Promise<Sliding> => {
    await tx.run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
    const second = new Date(Math.floor(at.getTime() / 1_000) * 1_000);
    await tx.run(sql`
      INSERT INTO rate_limit (key, window_start, used, expires_at)
      VALUES (${key}, ${second}, ${by}, ${second}::timestamptz + make_interval(secs => ${perSeconds}::float8))
      ON CONFLICT (key, window_start) DO UPDATE SET used = rate_limit.used + excluded.used`);
    return tx.one<Sliding>(sql`
      SELECT sum(used)::int AS used, min(window_start) FILTER (WHERE used > 0) AS oldest FROM rate_limit
      WHERE key = ${key} AND window_start > ${at}::timestamptz - make_interval(secs => ${perSeconds}::float8)`);
  },
});
