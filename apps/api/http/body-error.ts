import { UnavailableError } from '#domain/errors.ts';
import { ApiError, commonError } from '../errors.ts';
import { notAnObject } from './json-announced.ts';

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

/** What the parser of a body refuses, as an error of the caller; what this service could not do stays as it is. */
export const bodyError = (error: unknown): unknown => {
  if (error instanceof ApiError || error instanceof UnavailableError) return error;
  if (statusOf(error) === 413) return commonError('PAYLOAD_TOO_LARGE');
  if (statusOf(error) === 415) return commonError('UNSUPPORTED_MEDIA_TYPE', { message: unknownEncoding });
  if (isScalarJson(error)) return notAnObject();
  return commonError('INVALID_JSON');
};
