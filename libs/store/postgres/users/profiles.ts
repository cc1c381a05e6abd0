import type { UserProfile } from '#domain/users/user-object.ts';
import { partnersAnd } from '../virtual-airlines/virtual-airlines.ts';
import type { VirtualAirline } from '#domain/virtual-airlines/virtual-airline.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';
import type { PictureSlot } from '#domain/users/pictures.ts';

const columns = sql`firstname, lastname, crewcode, rank, chat_id, streaming_active, streaming_alias,
        preferences, settings_locked, revision, preferences_revision, profile_picture, alias_picture,
        email_verified_at IS NOT NULL AS is_email_verified, previous_login_at, last_login_at,
        store_account_token, created_at`;

type ProfileWithAirlines = UserProfile & { airlines: VirtualAirline[] };

export const userProfileRepo = (db: ReadDb) => ({
  /** The fields of the user object that each account itself has; null for a deleted account. */
  byIds: async (ids: readonly number[]): Promise<(UserProfile | null)[]> => {
    const found = await db.any<UserProfile & { id: number }>(
      sql`SELECT id, ${columns} FROM app_user WHERE id = ANY (${[...ids]}::int[])`,
    );
    return ids.map((id) => found.find((each) => each.id === id) ?? null);
  },

  byId: async (userId: number): Promise<UserProfile | null> =>
    (await userProfileRepo(db).byIds([userId]))[0] ?? null,

  /** As `byIds`, with all partner airlines and the airlines with these ids, by name. */
  withAirlines: async (
    asked: readonly { userId: number; vaIds: readonly number[] }[],
  ): Promise<(ProfileWithAirlines | null)[]> => {
    const found = await db.any<ProfileWithAirlines & { id: number }>(sql`
      SELECT id, ${columns}, coalesce((
        SELECT json_agg(va ORDER BY lower(name)) FROM (${partnersAnd(sql`asked."vaIds"`)}) va), '[]') AS airlines
      FROM json_to_recordset(${JSON.stringify(asked)}::json) AS asked ("userId" int, "vaIds" int[])
      JOIN app_user ON id = asked."userId"`);
    return asked.map(({ userId }) => found.find(({ id }) => id === userId) ?? null);
  },
});

/** Storage keys; null where there is no picture. */
type PictureKeys = Record<PictureSlot, string | null>;

export const pictureWrites = (tx: Tx) => ({
  /** The current pictures of a user, locked until the end of the transaction; null when there is no such user. */
  lockKeys: (userId: number): Promise<PictureKeys | null> =>
    tx.maybe<PictureKeys>(sql`
      SELECT profile_picture AS profile, alias_picture AS alias FROM app_user WHERE id = ${userId}
      FOR NO KEY UPDATE`),

  setKey: (userId: number, slot: PictureSlot, key: string | null): Promise<number> =>
    tx.run(
      slot === 'profile'
        ? sql`UPDATE app_user SET profile_picture = ${key} WHERE id = ${userId}`
        : sql`UPDATE app_user SET alias_picture = ${key} WHERE id = ${userId}`,
    ),
});
