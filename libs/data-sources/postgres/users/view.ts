import type { Activity, UserProfile } from '#domain/users/user-object.ts';
import type { VirtualAirline } from '#domain/virtual-airlines/virtual-airline.ts';
import { countsOf } from '../performance/calculations.ts';
import type { CalculationKind } from '../performance/calculations.ts';
import { sql } from '../sql.ts';
import type { ReadDb } from '../sql.ts';

export interface UserView {
  profile: UserProfile;
  /** All partners and the requested airlines, by name. */
  airlines: VirtualAirline[];
  activity: Activity;
}

interface Row extends UserProfile {
  airlines: VirtualAirline[] | null;
  counts: { kind: CalculationKind; count: number }[] | null;
}

export const userViewRepo = (db: ReadDb) => ({
  /**
   * All data of the user object in one statement, because clients request it often. Community checklists and
   * shares are not part of this service yet: those two counts are 0 until their tables exist.
   */
  byId: async (userId: number, vaIds: readonly number[]): Promise<UserView> => {
    const { airlines, counts, ...profile } = await db.one<Row>(sql`
      SELECT u.firstname, u.lastname, u.crewcode, u.rank, u.chat_id AS "chatId",
        u.streaming_active AS "streamingActive", u.streaming_alias AS "streamingAlias", u.preferences,
        u.settings_locked AS "settingsLocked", u.profile_picture AS "profilePicture", u.alias_picture AS "aliasPicture",
        u.previous_login_at AS "previousLoginAt", u.last_login_at AS "lastLoginAt", u.created_at AS "createdAt",
        (SELECT jsonb_agg(jsonb_build_object('id', v.id, 'name', v.name, 'website', v.website,
            'contactEmail', v.contact_email, 'logo', v.logo, 'logoDark', v.logo_dark, 'logoWhite', v.logo_white,
            'isPartner', v.is_partner, 'legacyName', v.legacy_name) ORDER BY lower(v.name))
          FROM virtual_airline v WHERE v.is_partner OR v.id = ANY(${[...vaIds]}::int[])) AS airlines,
        (SELECT jsonb_agg(jsonb_build_object('kind', c.kind, 'count', c.count))
          FROM (SELECT kind, count(*) AS count FROM calculation
            WHERE user_id = u.id AND created_at > coalesce(u.previous_login_at, u.created_at) GROUP BY kind) c) AS counts
      FROM app_user u WHERE u.id = ${userId}`);
    return {
      profile,
      airlines: airlines ?? [],
      activity: { calculations: countsOf(counts ?? []), newCommunityChecklists: 0, newShares: 0 },
    };
  },
});
