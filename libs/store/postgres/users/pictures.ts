import type { PictureSlot } from '#domain/users/pictures.ts';
import { sql } from '../sql.ts';
import type { Tx } from '../sql.ts';

/** Storage keys; null where there is no picture. */
type PictureKeys = Record<PictureSlot, string | null>;

export const pictureWrites = (tx: Tx) => ({
  /** The present pictures of a user, locked until the end of the transaction; null when there is no such user. */
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
