import type { Deps } from '#commands/deps.ts';
import { graphicRender } from '#domain/jobs/contracts.ts';
import { graphicWrites, pictureJobKey } from '#store/postgres/performance/graphics.ts';
import type { Picture } from '#store/postgres/performance/graphics.ts';
import type { Tx } from '#store/postgres/sql.ts';

/**
 * Enqueues a picture that was never requested, or whose file or job was lost. Of several callers that saw the same
 * state, one enqueues it; the others get false.
 */
export const askForPicture = async (
  tx: Tx,
  { jobs }: Deps<'jobs'>,
  { seen, now }: { seen: Picture; now: Date },
): Promise<boolean> => {
  const asks = await graphicWrites(tx).ask(seen, now);
  if (asks === null) return false;
  const { publicId, name, format } = seen;
  const dedupeKey = pictureJobKey({ ...seen, asks });
  await jobs.enqueue(tx, graphicRender, { publicId, name, format }, { dedupeKey });
  return true;
};
