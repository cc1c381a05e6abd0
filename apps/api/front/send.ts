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

/** Sends a ready JSON text with an ETag; a client that has it gets 304. */
export const sendJson = (ctx: KoaContext, text: string): void => {
  ctx.set('ETag', tagOf(text));
  ctx.set('Cache-Control', 'no-cache');
  ctx.type = 'application/json';
  ctx.status = 200;
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = text;
};
