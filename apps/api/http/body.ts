/** Reads a body: its size is limited first, and its file is read only after the checks of the call have passed. */
import type { Context as KoaContext } from 'koa';
import type { BodyReader } from '../call.ts';
import { commonError } from '../errors.ts';
import type { Registry } from '../registry.ts';
import type { Naming } from '../stages/resolve.ts';
import { readForm } from './form.ts';
import { createJsonReader, received } from './json.ts';

/** Longer content types are cut in error messages. */
const maxType = 60;

/**
 * JSON, or a form of `query`, `data` as JSON text, and a file. Throws an `ApiError` for anything else.
 */
export const createBodyReader = (
  registry: Registry,
  { formsAllowed = true, naming }: { formsAllowed?: boolean; naming?: Naming } = {},
): ((ctx: KoaContext) => BodyReader) => {
  const readJson = createJsonReader(registry, naming);
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

/** The bytes as received, without decoding; throws PAYLOAD_TOO_LARGE for more than `maxBytes`. */
export const rawBodyReader =
  (ctx: KoaContext, maxBytes: number): BodyReader =>
  async () => {
    const raw = await received(ctx.req, (bytes) => {
      if (Math.max(bytes, ctx.request.length ?? 0) <= maxBytes) return;
      throw commonError('PAYLOAD_TOO_LARGE', { message: `A message may have at most ${maxBytes} bytes.` });
    });
    return { fields: {}, text: null, bytes: raw.length, raw };
  };
