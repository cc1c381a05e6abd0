import { setPicture } from '#commands/users/accounts.ts';
import { pictureRepo, pictureWrites } from '#store/postgres/users/pictures.ts';
import { pictureResize } from '#domain/jobs/picture-resize.ts';
import { pictureBoxes, pictureKey } from '#domain/users/pictures.ts';
import { handle } from '../handle.ts';
import { resizePicture } from '../resize.ts';

export default handle(pictureResize, async ({ payload: { uploadId }, ctx, log }) => {
  const { postgres, storage, jobs } = ctx;
  const upload = await pictureRepo(postgres.db).waiting(uploadId);
  if (!upload) return;
  const { userId, slot, content } = upload;
  const bytes = await resizePicture(content, pictureBoxes[slot]);
  if (!bytes) {
    await postgres.transaction((tx) => pictureWrites(tx).finish(uploadId, 'refused'));
    log.info({ slot, bytes: content.length }, 'not a picture');
    return;
  }
  // The file first: a URL never names a file that does not exist. A retry writes it again.
  const key = pictureKey(uploadId);
  await storage.put(key, bytes, 'image/jpeg');
  const isSet = await postgres.transaction((tx) => setPicture(tx, { jobs }, { userId, slot, uploadId }));
  if (!isSet && (await pictureRepo(postgres.db).stateOf(uploadId)) !== 'stored') await storage.delete(key);
});
