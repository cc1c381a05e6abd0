import { createHash } from 'node:crypto';
import type { Context as KoaContext } from 'koa';

const tags = new Map<string, string>();

/** A strong ETag of a fixed text; texts are few, so each is hashed once. */
const tagOf = (text: string): string => {
  const known = tags.get(text);
  if (known) return known;
  const tag = `"${createHash('sha256').update(text).digest('hex').slice(0, 32)}"`;
  if (tags.size < 500) tags.set(text, tag);
  return tag;
};

/** True when the client already has this version; it need not be sent again. */
export const clientHas = (ctx: KoaContext, etag: string): boolean =>
  ctx
    .get('If-None-Match')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');

/** Sends a ready JSON text with an ETag; a client that has it gets 304. */
export const sendJson = (ctx: KoaContext, text: string): void => {
  const etag = tagOf(text);
  ctx.set('ETag', etag);
  ctx.set('Cache-Control', 'no-cache');
  if (clientHas(ctx, etag)) {
    ctx.status = 304;
    return;
  }
  ctx.type = 'application/json';
  ctx.body = text;
};

/** Sends a map; with a tag, a client that has it gets 304. */
export const sendGeoJson = (ctx: KoaContext, bytes: Buffer, cacheControl: string, etag?: string): void => {
  ctx.set('Cache-Control', cacheControl);
  if (etag !== undefined) {
    ctx.set('ETag', etag);
    if (clientHas(ctx, etag)) {
      ctx.remove('Content-Encoding');
      ctx.status = 304;
      return;
    }
  }
  ctx.type = 'application/geo+json';
  ctx.body = bytes;
};
