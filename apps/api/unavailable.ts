import { OutcomeUnknownError } from '#domain/errors.ts';
import type { UnavailableError } from '#domain/errors.ts';
import { commonError } from './errors.ts';
import type { ApiError } from './errors.ts';

/** 503 with Retry-After: what the caller sees of a database or a disk that cannot do it now. */
export const unavailableOf = (error: UnavailableError): ApiError =>
  commonError(error instanceof OutcomeUnknownError ? 'OUTCOME_UNKNOWN' : 'SERVICE_UNAVAILABLE', {
    headers: { 'Retry-After': String(error.retryAfterSeconds) },
  });
