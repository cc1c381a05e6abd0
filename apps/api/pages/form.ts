import { text as readText } from 'node:stream/consumers';
import type { Context as KoaContext } from 'koa';
import { commonError } from '../errors.ts';
import { assertStorable } from '../stages/validate.ts';

/**
 * The fields of a small urlencoded form; the first of duplicate names counts. Throws INVALID_INPUT for text that cannot be
 * stored.
 */
export const readForm = async (ctx: KoaContext, maxBytes = 16_384): Promise<Record<string, string>> => {
  if (ctx.is('application/x-www-form-urlencoded') === false)
    throw commonError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send application/x-www-form-urlencoded.' });
  const length = ctx.request.length;
  // Browsers always send the length of a form; without one it could be endless.
  if (!(length <= maxBytes)) throw commonError('PAYLOAD_TOO_LARGE');
  const fields = new URLSearchParams(await readText(ctx.req));
  const values = Object.fromEntries([...fields].reverse());
  assertStorable({}, values);
  return values;
};

/** The parameters of a URL; the first of duplicate names counts. */
export const firstValues = (query: KoaContext['query']): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
