/**
 * Reads a body only as far as the call is allowed to send one: its size is counted first, a file waits for the
 * stages.
 */
import type { Context as KoaContext } from 'koa';
import type { BodyReader } from '../call.ts';
import { ApiError, commonError } from '../errors.ts';
import { readForm } from './form.ts';
import { createJsonReader } from './json.ts';
import { notAnObject } from './json-small.ts';

const unknownEncoding = 'This Content-Encoding is not supported. Send identity, gzip, deflate or br.';

const statusOf = (error: unknown): number => {
  if (typeof error !== 'object' || error === null) return 0;
  if ('httpCode' in error && typeof error.httpCode === 'number') return error.httpCode;
  return 'status' in error && typeof error.status === 'number' ? error.status : 0;
};

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
  if (statusOf(error) === 415) return commonError('UNSUPPORTED_MEDIA_TYPE', { message: unknownEncoding });
  if (isScalarJson(error)) return notAnObject();
  return commonError('INVALID_JSON');
};

/**
 * JSON of at most `maxJsonBytes`, or a form of `query`, `data` as JSON text, and a file. Throws an `ApiError` for
 * anything else.
 */
export const createBodyReader = (maxJsonBytes: number): ((ctx: KoaContext) => BodyReader) => {
  const readJson = createJsonReader(maxJsonBytes);
  return (ctx) => async (call, admit) => {
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
};
