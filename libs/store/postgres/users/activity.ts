import type { Activity } from '#domain/users/user-object.ts';
import { isOffered } from '../checklists/rows.ts';
import { isReceivedBy } from '../ofp/shares.ts';
import { sql } from '../sql.ts';
import { quarterOf } from './statistics.ts';
import type { ReadDb } from '../sql.ts';

interface AskedActivity {
  userId: number;
  since: Date;
  now: Date;
}

type Row = Activity['calculations'] & Omit<Activity, 'calculations'>;

/** Kinds of the calculations since a time. Those that are only counted by quarter hour count if theirs ended after it. */
const kindsSince = sql`
  SELECT kind FROM calculation WHERE user_id = asked.user_id AND created_at > asked.since
  UNION ALL
  SELECT kind FROM calculation_day, string_to_table(times, NULL) time
  WHERE user_id = asked.user_id AND day >= (asked.since AT TIME ZONE 'UTC')::date
    AND day + (${quarterOf} + 1) * interval '15 minutes' > asked.since AT TIME ZONE 'UTC'`;

export const activityRepo = (db: ReadDb) => ({
  /**
   * Activity of each user since a time, in the order given. The arrays are subselects, so that one plan serves every length.
   */
  since: async (asked: readonly AskedActivity[]): Promise<Activity[]> => {
    const rows = await db.any<Row>(sql`
      SELECT counts.*, shares.*, checklists.* FROM unnest((SELECT ${asked.map(({ userId }) => userId)}::int[]),
        (SELECT ${asked.map(({ since }) => since)}::timestamptz[]), (SELECT ${asked.map(({ now }) => now)}::timestamptz[]))
        WITH ORDINALITY AS asked (user_id, since, now, position),
        LATERAL (
          SELECT count(*) FILTER (WHERE kind = 'takeoff') AS takeoff,
            count(*) FILTER (WHERE kind = 'landingDispatch') AS landing_dispatch,
            count(*) FILTER (WHERE kind = 'landingEnroute') AS landing_enroute,
            count(*) FILTER (WHERE kind = 'other') AS other, count(*) AS total
          FROM (${kindsSince}) c) counts,
        LATERAL (
          SELECT count(*) AS new_shares FROM ofp_share s
          WHERE ${isReceivedBy(sql`asked.user_id`)} AND status <> 'revoked' AND greatest(created_at, accepted_at) > asked.since
            AND (expires_at IS NULL OR expires_at > asked.now)) shares,
        LATERAL (
          SELECT count(*) AS new_community_checklists FROM checklist c
          WHERE ${isOffered} AND shared_at > asked.since AND user_id IS DISTINCT FROM asked.user_id) checklists
      ORDER BY asked.position`);
    return rows.map(({ newShares, newCommunityChecklists, ...calculations }) => ({
      calculations,
      newShares,
      newCommunityChecklists,
    }));
  },
});
