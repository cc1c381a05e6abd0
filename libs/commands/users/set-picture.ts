import { fileDelete } from '#domain/jobs/file-delete.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import { pictureKey } from '#domain/users/pictures.ts';
import type { PictureSlot } from '#domain/users/pictures.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { pictureWrites } from '#store/postgres/users/pictures.ts';

export interface NewPicture {
  userId: number;
  slot: PictureSlot;
  /** Null removes the picture. */
  uploadId: string | null;
}

/**
 * Shows another picture, or none; the file of the previous one is deleted after the commit. False when the upload or the
 * user no longer exists.
 */
export const setPicture = async (
  tx: Tx,
  { jobs }: { jobs: JobProducer<Tx> },
  { userId, slot, uploadId }: NewPicture,
): Promise<boolean> => {
  const pictures = pictureWrites(tx);
  const keys = await pictures.lockKeys(userId);
  if (!keys) return false;
  if (uploadId !== null && (await pictures.finish(uploadId, 'stored')) === 0) return false;
  await pictures.setKey(userId, slot, uploadId === null ? null : pictureKey(uploadId));
  const previous = keys[slot];
  if (previous !== null) await jobs.enqueue(tx, fileDelete, { keys: [previous] });
  return true;
};
