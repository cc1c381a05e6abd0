import type { CalculationKind, PastCalculation } from '#domain/performance/history.ts';
import type { DrawingFacts, TakeoffDrawingFacts } from '#domain/performance/graphic.ts';
import type { CountedFrom } from '#domain/subscriptions/allowance.ts';
import { insertId, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';
import { spentSince } from '../subscriptions/allowances.ts';

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
  /** Data for its drawings besides request and result; null: no drawing. */
  drawing: DrawingFacts | TakeoffDrawingFacts | null;
  createdAt: Date;
}

/** The stored request and answer, with the fields of their version. */
interface CalculationDetail extends PastCalculation {
  request: Record<string, unknown>;
  result: Record<string, unknown>;
  isDrawn: boolean;
}

export interface Spent {
  /** Calculations and gifts since the start of the window, without this one. */
  used: number;
  gift: number;
  isStored: boolean;
}

const past = sql`public_id AS calculation_id, created_at, kind, profile, airport,
  request #>> '{aircraft,userRegistration}' AS registration,
  coalesce(request #>> '{runway,ident}', request ->> 'runway') AS runway`;

/** A user's calculations, without those emptied by an earlier version, which the sweep deletes. */
const ofUser = (userId: number) => sql`user_id = ${userId} AND request <> '{}'`;

/** A user's calculations whose contents are still stored. */
export const calculationRepo = (db: ReadDb) => ({
  /** The most recent first; after the one with the id `before`. */
  page: (
    userId: number,
    { limit, before }: { limit: number; before: string | null },
  ): Promise<PastCalculation[]> =>
    db.any<PastCalculation>(sql`
      SELECT ${past} FROM calculation c
      WHERE ${ofUser(userId)} AND (${before}::uuid IS NULL OR (created_at, id) < (
        SELECT b.created_at, b.id FROM calculation b WHERE b.public_id = ${before}::uuid AND b.user_id = ${userId}))
      ORDER BY created_at DESC, id DESC LIMIT ${limit}`),

  get: (userId: number, calculationId: string): Promise<CalculationDetail | null> =>
    db.maybe<CalculationDetail>(sql`
      SELECT ${past}, request, result, drawing IS NOT NULL AS is_drawn FROM calculation c
      WHERE public_id = ${calculationId}::uuid AND ${ofUser(userId)}`),
});

/** Calculations that were possible: statistics, allowance and drawings start here. */
export const calculationWrites = (tx: Tx) => ({
  /**
   * Stores the calculation if more than `reserve` are left of `baseAllowed` and the gifts; one statement
   * does both.
   */
  insertWithin: (
    calculation: NewCalculation,
    { baseAllowed, reserve, from }: { baseAllowed: number; reserve: number; from: CountedFrom },
  ): Promise<Spent> =>
    tx.one<Spent & { used: number }>(sql`
      WITH spent AS (SELECT ${spentSince(calculation.userId, from)}),
      stored AS (
        INSERT INTO calculation (public_id, user_id, log_id, kind, profile, airport, request, result, drawing,
          created_at)
        SELECT ${calculation.publicId}::uuid, ${calculation.userId}::int, ${calculation.logId}::bigint,
          ${calculation.kind}::text, ${calculation.profile}::text, ${calculation.airport}::text,
          ${JSON.stringify(calculation.request)}::jsonb, ${JSON.stringify(calculation.result)}::jsonb,
          ${calculation.drawing && JSON.stringify(calculation.drawing)}::jsonb, ${calculation.createdAt}::timestamptz
        FROM spent WHERE ${baseAllowed}::int + gift - used > ${reserve}::int
        RETURNING id)
      SELECT used, gift, EXISTS (SELECT FROM stored) AS is_stored FROM spent`),

  insert: (calculation: NewCalculation): Promise<number> => insertId(tx, 'calculation', calculation),
});
