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
  /** By kind, of all stored calculations. */
  counts: CalculationCounts;
  mostUsedAircraft: { profile: string; total: number }[];
  mostUsedAirports: { icao: string; total: number }[];
  quarters: Quarter[];
}

const topCount = 10;

/** Calculations of one kind, profile, airport or quarter of an hour; the others are null. */
interface Group {
  kind: CalculationKind | null;
  profile: string | null;
  icao: string | null;
  startsAt: Date | null;
  total: number;
}

const countsOf = (groups: readonly Group[]): CalculationCounts => {
  const of = (kind: CalculationKind) => groups.find((group) => group.kind === kind)?.total ?? 0;
  const kinds = {
    takeoff: of('takeoff'),
    landingDispatch: of('landingDispatch'),
    landingEnroute: of('landingEnroute'),
    other: of('other'),
  };
  return { ...kinds, total: Object.values(kinds).reduce((sum, count) => sum + count, 0) };
};

/** Calculations that were possible: statistics, allowance and drawings start here. */
export const calculationRepo = (db: ReadDb) => ({
  /** What a user has calculated, read once for all groups. */
  usage: async (userId: number): Promise<Usage> => {
    const groups = await db.any<Group & Record<string, unknown>>(sql`
      SELECT kind, profile, airport AS icao, quarter AS "startsAt", count(*) AS total
      FROM (SELECT kind, profile, airport, date_bin('15 minutes', created_at, 'epoch') AS quarter
        FROM calculation WHERE user_id = ${userId}) c
      GROUP BY GROUPING SETS ((kind), (profile), (airport), (quarter)) ORDER BY total DESC, profile, airport`);
    return {
      counts: countsOf(groups),
      mostUsedAircraft: groups
        .flatMap(({ profile, total }) => (profile === null ? [] : [{ profile, total }]))
        .slice(0, topCount),
      mostUsedAirports: groups
        .flatMap(({ icao, total }) => (icao === null ? [] : [{ icao, total }]))
        .slice(0, topCount),
      quarters: groups.flatMap(({ startsAt, total }) =>
        startsAt === null ? [] : [{ startsAt, count: total }],
      ),
    };
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
