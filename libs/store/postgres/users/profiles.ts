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

export const userProfileRepo = (db: ReadDb) => ({
  /** The fields of the user object that the account itself has; null for a deleted account. */
  byId: (userId: number): Promise<UserProfile | null> =>
    db.maybe<UserProfile>(sql`SELECT ${columns} FROM app_user WHERE id = ${userId}`),

  /** As `byId`, with all partner airlines and the airlines with these ids, by name. */
  withAirlines: (
    userId: number,
    vaIds: readonly number[],
  ): Promise<(UserProfile & { airlines: VirtualAirline[] }) | null> =>
    db.maybe<UserProfile & { airlines: VirtualAirline[] }>(sql`
      SELECT ${columns}, coalesce((
        SELECT json_agg(va ORDER BY lower(name)) FROM (${partnersAnd(vaIds)}) va), '[]') AS airlines
      FROM app_user WHERE id = ${userId}`),
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
