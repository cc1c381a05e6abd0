import type { Activity } from '#domain/users/user-object.ts';
import { isOffered } from '../checklists/rows.ts';
import { isReceivedBy } from '../ofp/shares.ts';
import { sql } from '../sql.ts';
import { quarterOf } from './statistics.ts';
import type { ReadDb } from '../sql.ts';

type Row = Activity['calculations'] & Omit<Activity, 'calculations'>;

export const activityRepo = (db: ReadDb) => ({
  /** A calculation that is only counted by quarter hour counts if its quarter ended after `since`. */
  since: async (userId: number, since: Date, now: Date): Promise<Activity> => {
    const { newShares, newCommunityChecklists, ...calculations } = await db.one<Row>(sql`
      SELECT count(*) FILTER (WHERE kind = 'takeoff') AS takeoff,
        count(*) FILTER (WHERE kind = 'landingDispatch') AS landing_dispatch,
        count(*) FILTER (WHERE kind = 'landingEnroute') AS landing_enroute,
        count(*) FILTER (WHERE kind = 'other') AS other, count(*) AS total,
        (SELECT count(*) FROM ofp_share s
          WHERE ${isReceivedBy(sql`${userId}`)} AND status <> 'revoked' AND greatest(created_at, accepted_at) > ${since}
            AND (expires_at IS NULL OR expires_at > ${now})) AS new_shares,
        (SELECT count(*) FROM checklist c
          WHERE ${isOffered} AND shared_at > ${since} AND user_id IS DISTINCT FROM ${userId}) AS new_community_checklists
      FROM (
        SELECT kind FROM calculation WHERE user_id = ${userId} AND created_at > ${since}
        UNION ALL
        SELECT kind FROM calculation_day, string_to_table(times, NULL) time
        WHERE user_id = ${userId} AND day >= (${since}::timestamptz AT TIME ZONE 'UTC')::date
          AND day + (${quarterOf} + 1) * interval '15 minutes' > ${since}::timestamptz AT TIME ZONE 'UTC') c`);
    return { calculations, newShares, newCommunityChecklists };
  },
});
