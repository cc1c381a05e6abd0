import type { Context as KoaContext } from 'koa';
import type { Context } from '#data/context.ts';
import { graphicFormats, graphicRepo } from '#data/postgres/performance/graphics.ts';
import type { DrawnGraphic, GraphicFormat } from '#data/postgres/performance/graphics.ts';
import { commonError } from '../errors.ts';
import { clientHas } from '../http/send.ts';

const contentTypes = { svg: 'image/svg+xml', png: 'image/png', jpg: 'image/jpeg' } as const;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const waitMs = 5_000;
/** Between looks when a notification is missed (its connection may be down). */
const lookMs = 500;

/** Address of a drawing; the random public id is what protects it (G-43). */
export const graphicUrl = (baseUrl: string, publicId: string, name: string, format: GraphicFormat): string =>
  `${baseUrl}/graphics/${publicId}/${name}.${format}`;

export interface DrawnSignals {
  /** Resolves when the calculation is announced as drawn, or after the time. */
  wait: (publicId: string, ms: number) => Promise<void>;
  announce: (publicId: string) => void;
}

export const createDrawnSignals = (): DrawnSignals => {
  const waiting = new Map<string, Set<() => void>>();
  return {
    wait: (publicId, ms) =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(timer);
          const others = waiting.get(publicId);
          others?.delete(done);
          if (others?.size === 0) waiting.delete(publicId);
          resolve();
        };
        const timer = setTimeout(done, ms);
        waiting.set(publicId, (waiting.get(publicId) ?? new Set()).add(done));
      }),
    announce: (publicId) => {
      for (const done of waiting.get(publicId) ?? []) done();
    },
  };
};

/** `GET /graphics/{id}/{name}.{format}`: the picture, waiting up to 5 s for the worker, then 503. */
export const serveGraphic =
  (context: Context, signals: DrawnSignals) =>
  async (ctx: KoaContext, publicId: string, name: string, format: string): Promise<void> => {
    const repo = graphicRepo(context.postgres.db);
    const known = graphicFormats.find((candidate) => candidate === format);
    if (!known || !uuid.test(publicId) || !/^[a-z]{1,20}$/.test(name)) throw commonError('NOT_FOUND');

    const waitFor = async (find: () => Promise<DrawnGraphic | null>): Promise<DrawnGraphic | null> => {
      const until = performance.now() + waitMs;
      for (;;) {
        // Listening before looking, so that a drawing finished in between is not missed.
        const left = until - performance.now();
        const announced = signals.wait(publicId, Math.max(0, Math.min(lookMs, left)));
        const found = await find();
        if (found || left <= 0) return found;
        if (!(await repo.hasScene(publicId, name))) throw commonError('NOT_FOUND');
        await announced;
      }
    };

    const drawn = await waitFor(() => repo.find(publicId, name, known));
    if (!drawn) {
      throw commonError('SERVICE_UNAVAILABLE', {
        message: 'The drawing is not ready yet.',
        headers: { 'Retry-After': '1' },
      });
    }
    const etag = `"${drawn.etag}"`;
    ctx.set('ETag', etag);
    ctx.set('Cache-Control', 'public, max-age=86400, immutable');
    if (known === 'svg')
      ctx.set('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox");
    if (clientHas(ctx, etag)) {
      ctx.status = 304;
      return;
    }
    const bytes = await context.storage.get(drawn.path);
    if (!bytes) throw commonError('NOT_FOUND');
    ctx.type = contentTypes[known];
    ctx.body = Buffer.from(bytes);
  };
