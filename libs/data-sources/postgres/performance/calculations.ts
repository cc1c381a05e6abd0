import type { DrawingFacts } from '#domain/performance/graphic.ts';
import type { Quarter } from '#domain/users/statistics.ts';
import type { CalculationCounts } from '#domain/users/user-object.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export type CalculationKind = 'takeoff' | 'landingDispatch' | 'landingEnroute' | 'other';

export interface NewCalculation {
  /** Part of the URLs of the drawings. */
  publicId: string;
  userId: number;
  logId: number | null;
  kind: CalculationKind;
  /** File of the aircraft profile. */
  profile: string;
  /** ICAO, or null when the runway was entered manually. */
  airport: string | null;
  request: unknown;
  result: unknown;
  /** Data for its drawings besides request and result; null: it has none. */
  drawing: DrawingFacts | null;
  createdAt: Date;
}

export interface Usage {
  mostUsedAircraft: { profile: string; total: number }[];
  mostUsedAirports: { icao: string; total: number }[];
  quarters: Quarter[];
}

const topCount = 10;

/** Counts by kind, with their total. */
const countsOf = (rows: readonly { kind: CalculationKind; count: number }[]): CalculationCounts => {
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
export const calculationRepo = (db: ReadDb) => ({
  /** Counts by kind, of all stored calculations. */
  counts: async (userId: number): Promise<CalculationCounts> => {
    const rows = await db.any<{ kind: CalculationKind; count: number }>(sql`
      SELECT kind, count(*) AS count FROM calculation
      WHERE user_id = ${userId} GROUP BY kind`);
    return countsOf(rows);
  },

  usage: async (userId: number): Promise<Usage> => {
    const own = sql`FROM calculation WHERE user_id = ${userId}`;
    const [mostUsedAircraft, mostUsedAirports, quarters] = await Promise.all([
      db.any<Usage['mostUsedAircraft'][number]>(
        sql`SELECT profile, count(*) AS total ${own} GROUP BY profile ORDER BY total DESC, profile LIMIT ${topCount}`,
      ),
      db.any<Usage['mostUsedAirports'][number]>(
        sql`SELECT airport AS icao, count(*) AS total ${own} AND airport IS NOT NULL
          GROUP BY airport ORDER BY total DESC, airport LIMIT ${topCount}`,
      ),
      db.any<Quarter>(
        sql`SELECT date_bin('15 minutes', created_at, 'epoch') AS "startsAt", count(*) AS count ${own} GROUP BY 1`,
      ),
    ]);
    return { mostUsedAircraft, mostUsedAirports, quarters };
  },
});

export interface Spent {
  /** Calculations and gifts since the beginning of the window, this one not included. */
  used: number;
  gift: number;
  isStored: boolean;
}

export const calculationWrites = (tx: Tx) => ({
  /**
   * Stores the calculation if more than `reserve` are left of `baseAllowed` and the gifts since `since`; one statement
   * does both.
   */
  insertWithin: (
    calculation: NewCalculation,
    { baseAllowed, reserve, since }: { baseAllowed: number; reserve: number; since: Date },
  ): Promise<Spent> =>
    tx.one<Spent & { used: number }>(sql`
      WITH spent AS (
        SELECT
          (SELECT count(*) FROM calculation
            WHERE user_id = ${calculation.userId} AND created_at > ${since}) AS used,
          (SELECT coalesce(sum(amount), 0) FROM calculation_gift
            WHERE user_id = ${calculation.userId} AND given_at > ${since}) AS gift),
      stored AS (
        INSERT INTO calculation (public_id, user_id, log_id, kind, profile, airport, request, result, drawing,
          created_at)
        SELECT ${calculation.publicId}::uuid, ${calculation.userId}::int, ${calculation.logId}::bigint,
          ${calculation.kind}::text, ${calculation.profile}::text, ${calculation.airport}::text,
          ${JSON.stringify(calculation.request)}::jsonb, ${JSON.stringify(calculation.result)}::jsonb,
          ${calculation.drawing && JSON.stringify(calculation.drawing)}::jsonb, ${calculation.createdAt}::timestamptz
        FROM spent WHERE ${baseAllowed}::int + gift - used > ${reserve}::int
        RETURNING id)
      SELECT used, gift, EXISTS (SELECT FROM stored) AS "isStored" FROM spent`),

  insert: async (calculation: NewCalculation): Promise<number> => {
    const { id } = await tx.one<{ id: number }>(sql`
      INSERT INTO calculation (public_id, user_id, log_id, kind, profile, airport, request, result, drawing, created_at)
      VALUES (${calculation.publicId}, ${calculation.userId}, ${calculation.logId}, ${calculation.kind},
        ${calculation.profile}, ${calculation.airport}, ${JSON.stringify(calculation.request)},
        ${JSON.stringify(calculation.result)}, ${calculation.drawing && JSON.stringify(calculation.drawing)},
        ${calculation.createdAt})
      RETURNING id`);
    return id;
  },
});
