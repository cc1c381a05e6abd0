import { createHash } from 'node:crypto';
import type { Context } from '#data/context.ts';
import { graphicRepo, graphicWrites } from '#store/postgres/performance/graphics.ts';
import type { PictureId } from '#store/postgres/performance/graphics.ts';
import { graphicRender } from '#domain/jobs/contracts.ts';
import { graphicKey } from '#domain/performance/graphic.ts';
import { drawnSvg } from '#drawing/drawing.ts';
import { rasterise } from '../rasterise.ts';
import { handle } from '../worker-job.ts';

const contentTypes = { png: 'image/png', jpg: 'image/jpeg' } as const;

/**
 * Draws a picture from the stored calculation and stores its file. Idempotent; does nothing if the
 * calculation is gone.
 */
export const drawPicture = async (
  ctx: Pick<Context, 'postgres' | 'storage' | 'clock'>,
  id: PictureId,
): Promise<'drawn' | 'not wanted'> => {
  const repo = graphicRepo(ctx.postgres.db);
  const [picture, calculation] = await Promise.all([repo.picture(id), repo.calculation(id.publicId)]);
  if (!picture || picture.asks === 0 || picture.path !== null || !calculation) return 'not wanted';
  const svg = drawnSvg(calculation, picture.name);
  if (svg === null) return 'not wanted';

  const bytes = await rasterise(svg, picture.format);
  const path = graphicKey(picture.publicId, picture.name, picture.format);
  await ctx.storage.put(path, bytes, contentTypes[picture.format]);
  const etag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
  const file = { path, etag, bytes: bytes.byteLength, drawnAt: ctx.clock.now() };
  if (await ctx.postgres.transaction((tx) => graphicWrites(tx).keep(picture, file))) return 'drawn';
  // Another run was faster, or the calculation has expired; then nothing would ever delete the file.
  if (!(await repo.picture(id))) await ctx.storage.delete(path);
  return 'not wanted';
};

export default handle(graphicRender, async ({ payload, ctx, log }) => {
  log.debug({ ...payload, outcome: await drawPicture(ctx, payload) }, 'picture requested');
});
