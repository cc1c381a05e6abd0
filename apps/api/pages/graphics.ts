import { createHash } from 'node:crypto';
import type { Context as KoaContext } from 'koa';
import { askForPicture } from '#commands/graphics.ts';
import type { Context } from '#data/context.ts';
import { graphicRepo, pictureJobKey } from '#store/postgres/performance/graphics.ts';
import type { PictureId } from '#store/postgres/performance/graphics.ts';
import type { GraphicName, SceneName } from '#domain/performance/graphic.ts';
import type { CalculationKind } from '#domain/performance/history.ts';
import { graphicRender } from '#domain/jobs/contracts.ts';
import { drawingOf, graphicFormats, graphicNames, scenesOfKind } from '#domain/performance/graphic.ts';
import { drawnSvg } from '#drawing/drawing.ts';
import { commonError } from '../errors.ts';
import { sendDocument } from '../http/documents.ts';
import { fileOf, isDrawingId, mustBeAskedFor, waitForDrawing } from './drawn.ts';
import type { Drawing } from './drawn.ts';

const contentTypes = { svg: 'image/svg+xml', png: 'image/png', jpg: 'image/jpeg' } as const;

/** SVG is rendered from the stored row in a tenth of a millisecond, so it is neither stored nor waited for. */
const svgOf = async (context: Context, publicId: string, name: GraphicName): Promise<Drawing | null> => {
  const calculation = await graphicRepo(context.postgres.db).calculation(publicId);
  const svg = calculation && drawnSvg(calculation, name);
  if (svg === null) return null;
  const bytes = Buffer.from(svg);
  return { bytes, etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 22) };
};

const hasPicture = (kind: CalculationKind, name: GraphicName): boolean => {
  const scenes: readonly SceneName[] = scenesOfKind[kind];
  return scenes.includes(drawingOf(name).scene);
};

/** The picture, drawn by a worker; waits up to 5 s, then throws 503. Null: no such picture. */
const pictureOf = async (context: Context, id: PictureId): Promise<Drawing | null> => {
  const { postgres, clock } = context;
  const repo = graphicRepo(postgres.db);
  const seen = await repo.picture(id);
  if (!seen || !hasPicture(seen.kind, id.name)) return null;
  const file = await fileOf(context, seen);
  if (file) return file;
  if (await mustBeAskedFor(context, graphicRender, pictureJobKey(seen), seen))
    await postgres.transaction((tx) => askForPicture(tx, context, { seen, now: clock.now() }));

  return waitForDrawing(async () => {
    const picture = await repo.picture(id);
    return picture && fileOf(context, picture);
  });
};

/** `GET /graphics/{id}/{name}.{format}`: SVG at once; PNG and JPG are drawn at the first request, then stored. */
export const serveGraphic =
  (context: Context) =>
  async (ctx: KoaContext, publicId: string, name: string, format: string): Promise<void> => {
    const known = graphicFormats.find((candidate) => candidate === format);
    const drawn = graphicNames.find((candidate) => candidate === name);
    if (!known || !drawn || !isDrawingId(publicId)) throw commonError('NOT_FOUND');
    const drawing =
      known === 'svg'
        ? await svgOf(context, publicId, drawn)
        : await pictureOf(context, { publicId, name: drawn, format: known });
    if (!drawing) throw commonError('NOT_FOUND');
    // SVG is compressed while sending, so one ETag covers several encodings and must be weak.
    const etag = `${known === 'svg' ? 'W/' : ''}"${drawing.etag}"`;
    if (known === 'svg')
      ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    const cacheControl = 'public, max-age=86400, immutable';
    await sendDocument(ctx, { etag, type: contentTypes[known], read: () => drawing.bytes }, cacheControl);
  };
