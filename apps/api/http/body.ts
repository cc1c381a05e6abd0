/**
 * Reads a body only as far as the call is allowed to send one: its size is counted first, a file waits for the
 * stages.
 */
import { koaBody } from 'koa-body';
import type { Context as KoaContext } from 'koa';
import type { Body, BodyReader, Call } from '../call.ts';
import { ApiError, commonError } from '../errors.ts';
import { anonymousBytesLimit } from '../limits.ts';
import { countBytes } from '../stages/limits.ts';
import { readForm } from './form.ts';
import { assertShallow } from './shallow.ts';

export const maxJsonBytes = 4_718_592;
/** Anyone may send a body up to this size; larger ones without a valid token are counted by the byte. */
const freeBytes = 65_536;

const kinds = {
  text: false,
  urlencoded: false,
  json: true,
  jsonStrict: true,
  includeUnparsed: true,
} as const;
const read = koaBody({ ...kinds, jsonLimit: maxJsonBytes });
const readUnsizedAnonymous = koaBody({ ...kinds, jsonLimit: freeBytes });

const statusOf = (error: unknown): number => {
  if (typeof error !== 'object' || error === null) return 0;
  if ('httpCode' in error && typeof error.httpCode === 'number') return error.httpCode;
  return 'status' in error && typeof error.status === 'number' ? error.status : 0;
};

const notAnObject = (): ApiError =>
  commonError('INVALID_JSON', { message: 'The body must be a JSON object.' });

/** The strict parser refuses `null` or `5` like invalid JSON; the refused text distinguishes them. */
const isScalarJson = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null || !('body' in error)) return false;
  const { body } = error;
  if (typeof body !== 'string' || /^\s*[{[]/.test(body)) return false;
  try {
    JSON.parse(body);
    return true;
  } catch {
    // Invalid JSON is reported as such.
    return false;
  }
};

const bodyError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error;
  if (statusOf(error) === 413) return commonError('PAYLOAD_TOO_LARGE');
  if (isScalarJson(error)) return notAnObject();
  return commonError('INVALID_JSON');
};

/** Content-Length, or null when the size is only known while reading. */
const announcedBytes = (ctx: KoaContext): number | null => {
  const encoding = ctx.get('Content-Encoding');
  return encoding === '' || encoding === 'identity' ? (ctx.request.length ?? null) : null;
};

const readJson = async (ctx: KoaContext, call: Call): Promise<Body> => {
  const announced = announcedBytes(ctx);
  if (announced !== null && announced > maxJsonBytes) throw commonError('PAYLOAD_TOO_LARGE');
  if (announced !== null && announced > freeBytes && !call.claims)
    await countBytes(anonymousBytesLimit, call, announced);
  await (announced === null && !call.claims ? readUnsizedAnonymous : read)(ctx, async () => {});
  const parsed: unknown = ctx.request.body;
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw notAnObject();
  assertShallow(parsed);
  const text = ctx.request.rawBody ?? '';
  return { fields: parsed as Record<string, unknown>, text, bytes: announced ?? Buffer.byteLength(text) };
};

/** JSON, or a form of `query`, `data` as JSON text, and a file. Throws an `ApiError` for anything else. */
export const bodyReader =
  (ctx: KoaContext): BodyReader =>
  async (call, admit) => {
    if (ctx.method !== 'POST')
      throw commonError('METHOD_NOT_ALLOWED', { headers: { Allow: 'POST, OPTIONS' } });
    const type = (ctx.get('Content-Type').split(';', 1)[0] ?? '').trim().toLowerCase();
    const isForm = type === 'multipart/form-data';
    if (!isForm && type !== 'application/json' && !type.endsWith('+json'))
      throw commonError('UNSUPPORTED_MEDIA_TYPE', {
        headers: { Accept: 'application/json, multipart/form-data' },
      });
    try {
      return await (isForm ? readForm(ctx, call, admit) : readJson(ctx, call));
    } catch (error) {
      throw bodyError(error);
    }
  };
