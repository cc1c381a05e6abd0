import type { UserProfile } from '#domain/users/user-object.ts';
import { sql } from '../sql.ts';
import type { ReadDb } from '../sql.ts';

export const userProfileRepo = (db: ReadDb) => ({
  /** What the user object shows of the account itself. */
  byId: (userId: number): Promise<UserProfile | null> =>
    db.maybe<UserProfile>(sql`
      SELECT firstname, lastname, crewcode, rank, chat_id AS "chatId", streaming_active AS "streamingActive",
        streaming_alias AS "streamingAlias", preferences, settings_locked AS "settingsLocked", revision,
        preferences_revision AS "preferencesRevision",
        profile_picture AS "profilePicture", alias_picture AS "aliasPicture",
        email_verified_at IS NOT NULL AS "isEmailVerified",
        previous_login_at AS "previousLoginAt", last_login_at AS "lastLoginAt",
        store_account_token AS "storeAccountToken", created_at AS "createdAt"
      FROM app_user WHERE id = ${userId}`),
});
