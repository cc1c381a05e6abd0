/** Calculations by day and by time of day: of those that are stored, and of those that are only counted. */
import { firstTimeCode } from '#domain/users/statistics.ts';
import { sql } from '../sql.ts';

/** Of a calculation: its day of UTC, and the character of its quarter of an hour, as `calculation_day.times` has them. */
export const dayOf = sql`(created_at AT TIME ZONE 'UTC')::date`;
export const timeOf = sql`
  chr(${firstTimeCode}::int + (floor(date_part('epoch', created_at))::bigint % 86400 / 900)::int)`;

/** The quarter of an hour of a character `time` of `calculation_day.times`, 0 to 95. */
export const quarterOf = sql`(ascii(time) - ${firstTimeCode}::int)`;
