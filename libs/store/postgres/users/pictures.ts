import type { PictureSlot } from '#domain/users/pictures.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export interface PictureUpload {
  id: string;
  userId: number;
  slot: PictureSlot;
  content: Buffer;
}

export type UploadState = 'waiting' | 'stored' | 'refused';

/** Storage keys; null where there is no picture. */
export type PictureKeys = Record<PictureSlot, string | null>;

export const pictureRepo = (db: ReadDb) => ({
  /** An upload that has not been resized; null when it has been, or was withdrawn. */
  waiting: (id: string): Promise<PictureUpload | null> =>
    db.maybe<PictureUpload>(sql`
      SELECT id, user_id, slot, content FROM picture_upload WHERE id = ${id} AND state = 'waiting'`),

  stateOf: async (id: string): Promise<UploadState | null> =>
    (await db.maybe<{ state: UploadState }>(sql`SELECT state FROM picture_upload WHERE id = ${id}`))?.state ??
    null,
});

export const pictureWrites = (tx: Tx) => ({
  add: ({ id, userId, slot, content }: PictureUpload, now: Date): Promise<number> =>
    tx.run(sql`
      INSERT INTO picture_upload (id, user_id, slot, content, created_at)
      VALUES (${id}, ${userId}, ${slot}, ${content}, ${now})`),

  /** Ends an upload and wakes its request; 0 when it has ended already. */
  finish: async (id: string, state: Exclude<UploadState, 'waiting'>): Promise<number> => {
    const finished = await tx.run(sql`
      UPDATE picture_upload SET state = ${state}, content = NULL WHERE id = ${id} AND state = 'waiting'`);
    if (finished > 0) tx.announce({ topic: 'picture', id });
    return finished;
  },

  /** Removes an upload that is still waiting: it will have no effect. 0 when it has ended. */
  withdraw: (id: string): Promise<number> =>
    tx.run(sql`DELETE FROM picture_upload WHERE id = ${id} AND state = 'waiting'`),

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
