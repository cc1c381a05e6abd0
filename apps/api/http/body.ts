/**
 * Reads a body only as far as the call is allowed to send one: its size is counted first, a file waits for the
 * stages.
 */
import type { Context as KoaContext } from 'koa';
import type { BodyReader } from '../call.ts';
import { commonError } from '../errors.ts';
import { readForm } from './form.ts';
import { createJsonReader } from './json.ts';
import type { BodyBounds } from './json.ts';

/** Characters of a type that are repeated. */
const maxType = 60;

/**
 * JSON of at most `maxJsonBytes` (of callers with and without a valid token), or a form of `query`, `data` as JSON text, and a file. Throws an `ApiError` for
 * anything else.
 */
export const createBodyReader = (
  maxJsonBytes: BodyBounds,
  { formsAllowed = true }: { formsAllowed?: boolean } = {},
): ((ctx: KoaContext) => BodyReader) => {
  const readJson = createJsonReader(maxJsonBytes);
  return (ctx) => async (call, admit) => {
    if (ctx.method !== 'POST')
      throw commonError('METHOD_NOT_ALLOWED', {
        hint: 'a query is a POST with a JSON body, a read also GET /api/get/<query>; the documentation is at /docs',
        headers: { Allow: 'POST, OPTIONS' },
      });
    const type = (ctx.get('Content-Type').split(';', 1)[0] ?? '').trim().toLowerCase();
    const isForm = formsAllowed && type === 'multipart/form-data';
    if (!isForm && type !== 'application/json' && !type.endsWith('+json'))
      throw commonError('UNSUPPORTED_MEDIA_TYPE', {
        ...(formsAllowed ? {} : { message: 'Send application/json.' }),
        hint: type === '' ? 'the call has no Content-Type' : `the Content-Type is ${type.slice(0, maxType)}`,
        headers: { Accept: formsAllowed ? 'application/json, multipart/form-data' : 'application/json' },
      });
    if (isForm && !/;\s*boundary=/i.test(ctx.get('Content-Type')))
      throw commonError('INVALID_JSON', {
        message: 'The form has no boundary.',
        hint: 'leave the Content-Type of a form to the HTTP library, which adds its boundary',
      });
    if (isForm) return readForm(ctx, call, admit);
    return readJson(ctx, call);
  };
};
