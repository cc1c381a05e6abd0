import { createHash } from 'node:crypto';
import type { Context } from '#data/context.ts';
import { graphicRepo, graphicWrites } from '#data/postgres/performance/graphics.ts';
import type { GraphicFormat } from '#data/postgres/performance/graphics.ts';
import { Unrecoverable } from '#domain/errors.ts';
import { rasterise } from './rasterise.ts';

const contentTypes = { svg: 'image/svg+xml', png: 'image/png', jpg: 'image/jpeg' } as const;

/** Storage key of a picture. The public id is random, so the key cannot be guessed. */
export const graphicKey = (publicId: string, name: string, format: GraphicFormat): string =>
  `graphics/${publicId}/${name}.${format}`;

interface PictureFile {
  name: string;
  format: GraphicFormat;
  bytes: Uint8Array;
}

/** Renders one scene as SVG text. */
export type DrawScene = (scene: unknown) => string;

/**
 * Draws what is missing of one calculation: first every SVG, so that they can be shown, then PNG and JPG. Each
 * step is stored when done; running it again draws only the rest. Throws `Unrecoverable` when there is no such
 * calculation.
 */
export const drawCalculation = async (
  ctx: Pick<Context, 'postgres' | 'storage' | 'clock'>,
  draw: DrawScene,
  publicId: string,
  signal: AbortSignal,
): Promise<void> => {
  const repo = graphicRepo(ctx.postgres.db);
  const calculation = await repo.scenesOf(publicId);
  if (!calculation) throw new Unrecoverable(`no calculation ${publicId}`);
  const { calculationId, scenes } = calculation;
  const drawn = new Set((await repo.drawnOf(calculationId)).map(({ name, format }) => `${name}.${format}`));

  const save = async (files: readonly PictureFile[]) => {
    if (files.length === 0) return;
    const stored = await Promise.all(
      files.map(async ({ name, format, bytes }) => {
        const path = graphicKey(publicId, name, format);
        await ctx.storage.put(path, bytes, contentTypes[format]);
        const etag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
        return { name, format, path, etag, bytes: bytes.byteLength, drawnAt: ctx.clock.now() };
      }),
    );
    await ctx.postgres.transaction(async (tx) => {
      const writes = graphicWrites(tx);
      for (const graphic of stored) await writes.save(calculationId, graphic);
      await writes.notifyDrawn(publicId);
    });
  };

  // Scenes may be equal (one dispatch drawing serves as three): each is drawn once.
  const svgs = new Map<string, Buffer>();
  const svgOf = (scene: unknown): Buffer => {
    const key = JSON.stringify(scene);
    const svg = svgs.get(key) ?? Buffer.from(draw(scene));
    svgs.set(key, svg);
    return svg;
  };
  const all = Object.entries(scenes);
  await save(
    all
      .filter(([name]) => !drawn.has(`${name}.svg`))
      .map(([name, scene]) => ({ name, format: 'svg', bytes: svgOf(scene) })),
  );
  const pictures = new Map<Buffer, ReturnType<typeof rasterise>>();
  for (const [name, scene] of all) {
    if (drawn.has(`${name}.png`) && drawn.has(`${name}.jpg`)) continue;
    signal.throwIfAborted();
    const svg = svgOf(scene);
    const picture = pictures.get(svg) ?? rasterise(svg);
    pictures.set(svg, picture);
    const { png, jpg } = await picture;
    await save([
      { name, format: 'png', bytes: png },
      { name, format: 'jpg', bytes: jpg },
    ]);
  }
};
