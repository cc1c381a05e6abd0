import type { CalculationKind, PastCalculation } from '#domain/performance/history.ts';
import type { DrawingFacts, TakeoffDrawingFacts } from '#domain/performance/graphic.ts';
import { insertId, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

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

const past = sql`public_id AS calculation_id, created_at, kind, profile, airport,
  request #>> '{aircraft,userRegistration}' AS registration,
  coalesce(request #>> '{runway,ident}', request ->> 'runway') AS runway`;

/** A user's calculations whose contents are still stored. */
export const calculationRepo = (db: ReadDb) => ({
  /** The most recent first; after the one with the id `before`. */
  page: (
    userId: number,
    { limit, before }: { limit: number; before: string | null },
  ): Promise<PastCalculation[]> =>
    db.any<PastCalculation>(sql`
      SELECT ${past} FROM calculation c
      WHERE user_id = ${userId} AND (${before}::uuid IS NULL OR (created_at, id) < (
        SELECT b.created_at, b.id FROM calculation b WHERE b.public_id = ${before}::uuid AND b.user_id = ${userId}))
      ORDER BY created_at DESC, id DESC LIMIT ${limit}`),

  get: (userId: number, calculationId: string): Promise<CalculationDetail | null> =>
    db.maybe<CalculationDetail>(sql`
      SELECT ${past}, request, result, drawing IS NOT NULL AS is_drawn FROM calculation c
      WHERE public_id = ${calculationId}::uuid AND user_id = ${userId}`),
});

/** Calculations that were possible: statistics, allowance and drawings start here. */
export const calculationWrites = (tx: Tx) => ({
  insert: (calculation: NewCalculation): Promise<number> => insertId(tx, 'calculation', calculation),
});
