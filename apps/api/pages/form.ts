import { buffer } from 'node:stream/consumers';
import type { Context as KoaContext } from 'koa';
import { commonError } from '../errors.ts';
import { utf8Text } from '../http/json.ts';
import { assertStorable } from '../stages/validate.ts';

/**
 * Throws INVALID_INPUT for percent-encoded bytes that are not UTF-8: decoding would turn them all into the same
 * character.
 */
export const assertUtf8 = (encoded: string): void => {
  try {
    decodeURIComponent(encoded.replaceAll(/%(?![\da-f]{2})/gi, '%25'));
  } catch {
    throw commonError('INVALID_INPUT', { message: 'The fields are not UTF-8.' });
  }
};

/**
 * The fields of a small urlencoded form; the first of duplicates counts. Throws INVALID_INPUT for text that cannot be
 * stored.
 */
export const readForm = async (ctx: KoaContext, maxBytes = 16_384): Promise<Record<string, string>> => {
  if (ctx.is('application/x-www-form-urlencoded') === false)
    throw commonError('UNSUPPORTED_MEDIA_TYPE', { message: 'Send application/x-www-form-urlencoded.' });
  const length = ctx.request.length;
  // Browsers always send Content-Length; without it the form could be endless.
  if (!(length <= maxBytes)) throw commonError('PAYLOAD_TOO_LARGE');
  const text = utf8Text(await buffer(ctx.req), 'The form', 'INVALID_INPUT');
  assertUtf8(text);
  const values = Object.fromEntries([...new URLSearchParams(text)].reverse());
  assertStorable({}, values);
  return values;
};

/** URL parameters; the first of duplicates counts. */
export const firstValues = (query: KoaContext['query']): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
