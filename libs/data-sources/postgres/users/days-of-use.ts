/** Calculations by day: of those that are stored, and of those that are only counted. */
import { sql } from '../sql.ts';
import type { Sql } from '../sql.ts';

/** Of a calculation: its day, and the quarter of an hour of that day. */
export const dayOf = sql`(created_at AT TIME ZONE 'UTC')::date`;
export const quarterOf = sql`
  floor(extract(epoch FROM (created_at AT TIME ZONE 'UTC')::time) / 900)::smallint`;

/** Rows of `kind, profile, airport, day, quarters`. */
export const daysOfUse = (userId: number): Sql => sql`
  SELECT kind, profile, airport, day, quarters FROM calculation_day WHERE user_id = ${userId}
  UNION ALL
  SELECT kind, profile, airport, ${dayOf}, array_agg(${quarterOf}) FROM calculation WHERE user_id = ${userId} GROUP BY 1, 2, 3, 4`;
