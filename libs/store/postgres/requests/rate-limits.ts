import { sql } from '../sql.ts';
import type { Tx } from '../sql.ts';

interface Count {
  key: string;
  /** Start of a fixed window. */
  at: Date;
  perSeconds: number;
  by: number;
}

interface Sliding {
  used: number;
  oldest: Date | null;
}

/** Counters shared by all processes; rows expire with their window and are swept. */
export const rateLimitWrites = (tx: Tx) => ({
  /** Adds to a counter and returns its total. */
  add: ({ key, at, perSeconds, by }: Count): Promise<number> =>
    tx.value<number>(sql`
      INSERT INTO rate_limit (key, window_start, used, expires_at)
      VALUES (${key}, ${at}, ${by}, ${at}::timestamptz + make_interval(secs => ${perSeconds}::float8))
      ON CONFLICT (key, window_start) DO UPDATE SET used = rate_limit.used + excluded.used
      RETURNING used`),

  /**
   * Adds to a sliding count: returns what was used in the last `perSeconds` until `at`, and the time of the oldest use.
   * Calls with one key take turns.
   */
  slide: async ({ at, ...count }: Count): Promise<Sliding> => {
    const { key, perSeconds } = count;
    await tx.run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`);
    await rateLimitWrites(tx).add({ ...count, at: new Date(Math.floor(at.getTime() / 1_000) * 1_000) });
    return tx.one<Sliding>(sql`
      SELECT sum(used)::int AS used, min(window_start) FILTER (WHERE used > 0) AS oldest FROM rate_limit
      WHERE key = ${key} AND window_start > ${at}::timestamptz - make_interval(secs => ${perSeconds}::float8)`);
  },
});
