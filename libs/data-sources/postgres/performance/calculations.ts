import type { Caller } from '#domain/users/types.ts';
import type { CalculationCounts } from '#domain/users/user-object.ts';
import { allowance, windowDays } from '#domain/subscriptions/allowance.ts';
import type { Allowance } from '#domain/subscriptions/allowance.ts';
import { addSeconds } from '#domain/time.ts';
import { sql } from '../sql.ts';
import type { Db, Tx } from '../sql.ts';

export type CalculationKind = 'takeoff' | 'landingDispatch' | 'landingEnroute' | 'other';

export interface NewCalculation {
  /** Stands in the URLs of the drawings. */
  publicId: string;
  userId: number;
  logId: number | null;
  kind: CalculationKind;
  /** File of the aircraft profile. */
  profile: string;
  /** ICAO, or null when the runway was given by hand. */
  airport: string | null;
  request: unknown;
  result: unknown;
  /** Drawing scenes by name, input of the job graphic.render. */
  scenes: Record<string, unknown>;
  createdAt: Date;
}

export interface Usage {
  mostUsedAircraft: { profile: string; total: number }[];
  mostUsedAirports: { icao: string; total: number }[];
  /** ISO day 1-7 (Monday first), UTC. */
  weekdays: { day: number; count: number }[];
  hours: { hour: number; count: number }[];
}

const topCount = 10;

/** Counts by kind, with their total. */
export const countsOf = (rows: readonly { kind: CalculationKind; count: number }[]): CalculationCounts => {
  const of = (kind: CalculationKind) => rows.find((row) => row.kind === kind)?.count ?? 0;
  return {
    takeoff: of('takeoff'),
    landingDispatch: of('landingDispatch'),
    landingEnroute: of('landingEnroute'),
    other: of('other'),
    total: rows.reduce((sum, row) => sum + row.count, 0),
  };
};

/** Calculations that were possible: statistics, allowance and drawings start here. */
export const calculationRepo = (db: Db) => ({
  insert: async (calculation: NewCalculation): Promise<number> => {
    const { id } = await db.one<{ id: number }>(sql`
      INSERT INTO calculation (public_id, user_id, log_id, kind, profile, airport, request, result, scenes, created_at)
      VALUES (${calculation.publicId}, ${calculation.userId}, ${calculation.logId}, ${calculation.kind},
        ${calculation.profile}, ${calculation.airport}, ${JSON.stringify(calculation.request)},
        ${JSON.stringify(calculation.result)}, ${JSON.stringify(calculation.scenes)}, ${calculation.createdAt})
      RETURNING id`);
    return id;
  },

  /** Counts by kind, of every calculation that is kept. */
  counts: async (userId: number): Promise<CalculationCounts> => {
    const rows = await db.any<{ kind: CalculationKind; count: number }>(sql`
      SELECT kind, count(*) AS count FROM calculation
      WHERE user_id = ${userId} GROUP BY kind`);
    return countsOf(rows);
  },

  usage: async (userId: number): Promise<Usage> => {
    const own = sql`FROM calculation WHERE user_id = ${userId}`;
    const [mostUsedAircraft, mostUsedAirports, weekdays, hours] = await Promise.all([
      db.any<Usage['mostUsedAircraft'][number]>(
        sql`SELECT profile, count(*) AS total ${own} GROUP BY profile ORDER BY total DESC, profile LIMIT ${topCount}`,
      ),
      db.any<Usage['mostUsedAirports'][number]>(
        sql`SELECT airport AS icao, count(*) AS total ${own} AND airport IS NOT NULL
          GROUP BY airport ORDER BY total DESC, airport LIMIT ${topCount}`,
      ),
      db.any<Usage['weekdays'][number]>(
        sql`SELECT extract(isodow FROM created_at AT TIME ZONE 'UTC')::int AS day, count(*) AS count ${own} GROUP BY day`,
      ),
      db.any<Usage['hours'][number]>(
        sql`SELECT extract(hour FROM created_at AT TIME ZONE 'UTC')::int AS hour, count(*) AS count ${own} GROUP BY hour`,
      ),
    ]);
    return { mostUsedAircraft, mostUsedAirports, weekdays, hours };
  },
});

/** One user's calculations, one at a time until the transaction ends: what is counted then stays so. */
export const lockAllowance = async (tx: Tx, userId: number): Promise<void> => {
  await tx.run(sql`SELECT pg_advisory_xact_lock(hashtext('allowance'), ${userId})`);
};

/** What the caller has left of his product's allowance and his gifts over the last 30 days (G-33). */
export const allowanceOf = async (
  db: Db,
  caller: Pick<Caller, 'userId' | 'entitlement'>,
  now: Date,
): Promise<Allowance> => {
  const since = addSeconds(now, -windowDays * 86_400);
  const { used, gift } = await db.one<{ used: number; gift: number }>(sql`
    SELECT
      (SELECT count(*) FROM calculation WHERE user_id = ${caller.userId} AND created_at > ${since}) AS used,
      (SELECT coalesce(sum(amount), 0) FROM calculation_gift
        WHERE user_id = ${caller.userId} AND given_at > ${since}) AS gift`);
  return allowance(caller.entitlement.product.maxCalculation, gift, used);
};
