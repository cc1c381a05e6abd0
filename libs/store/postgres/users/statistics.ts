import type { CalculationKind } from '#domain/performance/history.ts';
import type { Caller } from '#domain/users/types.ts';
import { allowance, countedFrom } from '#domain/subscriptions/allowance.ts';
import type { Allowance } from '#domain/subscriptions/allowance.ts';
import type { DayOfUse } from '#domain/users/statistics.ts';
import type { CalculationCounts } from '#domain/users/user-object.ts';
import { usedBytesOf } from '../library/spaces.ts';
import { spentSince } from '../subscriptions/allowances.ts';
import { sql } from '../sql.ts';
import type { ReadDb } from '../sql.ts';
import { storedBytesOf } from './storage.ts';
import { firstTimeCode } from '#domain/users/statistics.ts';

/** Day (UTC) of a calculation, and the character of its quarter of an hour, as in `calculation_day.times`. */
export const dayOf = sql`(created_at AT TIME ZONE 'UTC')::date`;
export const timeOf = sql`
  chr(${firstTimeCode}::int + (floor(date_part('epoch', created_at))::bigint % 86400 / 900)::int)`;

/** The quarter of an hour of a character `time` of `calculation_day.times`, 0 to 95. */
export const quarterOf = sql`(ascii(time) - ${firstTimeCode}::int)`;

interface UserStatistics {
  /** Stored calculations by kind. */
  counts: CalculationCounts;
  mostUsedAircraft: { profile: string; total: number }[];
  mostUsedAirports: { icao: string; total: number }[];
  days: DayOfUse[];
  allowance: Allowance;
  libraryUsedBytes: number;
  storageUsedBytes: number;
  checklists: number;
}

const topCount = 10;

/** Calculations of one kind, profile, airport or day; the others are null. */
interface Group {
  kind: CalculationKind | null;
  profile: string | null;
  icao: string | null;
  day: string | null;
  /** Calculations of a day. */
  times: string | null;
  total: number;
  /** Only in the group of all calculations, which a user without calculations has, too. */
  overall: { used: number; gift: number; usedBytes: number; storedBytes: number; checklists: number } | null;
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

export const userStatisticsRepo = (db: ReadDb) => ({
  /** Statistics of a user's calculations; one statement, which reads them once for all groups. */
  of: async (
    { userId, entitlement }: Pick<Caller, 'userId' | 'entitlement'>,
    now: Date,
  ): Promise<UserStatistics> => {
    const groups = await db.any<Group>(sql`
      SELECT kind, profile, airport AS icao, day::text AS day,
        CASE WHEN grouping(day) = 0 THEN string_agg(times, '') END AS times, coalesce(sum(length(times)), 0) AS total,
        CASE WHEN grouping(kind, profile, airport, day) = 15 THEN (
          SELECT to_json(overall) FROM (SELECT ${spentSince(userId, countedFrom(now, entitlement))},
            coalesce(${usedBytesOf({ type: 'user', userId })}, 0) AS "usedBytes",
            ${storedBytesOf(sql`${userId}::int`)} AS "storedBytes",
            (SELECT count(*) FROM checklist WHERE user_id = ${userId}) AS checklists) overall) END AS overall
      FROM (
        SELECT day, kind, profile, airport, times FROM calculation_day WHERE user_id = ${userId}
        UNION ALL
        SELECT ${dayOf}, kind, profile, airport, string_agg(${timeOf}, '') FROM calculation WHERE user_id = ${userId}
        GROUP BY 1, 2, 3, 4) used
      GROUP BY GROUPING SETS ((kind), (profile), (airport), (day), ())
      ORDER BY total DESC, profile, icao`);
    const overall = groups.find((group) => group.overall !== null)?.overall;
    if (!overall) throw new Error(`no statistics of user ${userId} were read`);
    return {
      counts: countsOf(groups),
      mostUsedAircraft: groups
        .flatMap(({ profile, total }) => (profile === null ? [] : [{ profile, total }]))
        .slice(0, topCount),
      mostUsedAirports: groups
        .flatMap(({ icao, total }) => (icao === null ? [] : [{ icao, total }]))
        .slice(0, topCount),
      days: groups.flatMap(({ day, times }) => (day === null || times === null ? [] : [{ day, times }])),
      allowance: allowance(entitlement.product, overall.gift, overall.used),
      libraryUsedBytes: overall.usedBytes,
      storageUsedBytes: overall.storedBytes,
      checklists: overall.checklists,
    };
  },
});
