/** File errors that mean the storage is temporarily unavailable, as data. */
import { UnavailableError } from '#domain/errors.ts';

interface Row {
  reason: string;
  retryAfterSeconds: number;
}

const full: Row = { reason: 'disk full', retryAfterSeconds: 30 };
const files: Row = { reason: 'too many open files', retryAfterSeconds: 5 };
const unreachable: Row = { reason: 'unreachable', retryAfterSeconds: 5 };

/** By errno, from the disk or the connection to S3, or by the name of an S3 error. */
const byCode: Readonly<Record<string, Row>> = {
  ENOSPC: full,
  EDQUOT: { reason: 'disk quota used up', retryAfterSeconds: 30 },
  EROFS: { reason: 'read-only', retryAfterSeconds: 30 },
  EMFILE: files,
  ENFILE: files,
  EIO: { reason: 'input/output error', retryAfterSeconds: 30 },
  ENOMEM: { reason: 'out of memory', retryAfterSeconds: 10 },
  ESTALE: unreachable,
  ECONNREFUSED: unreachable,
  ECONNRESET: unreachable,
  EPIPE: unreachable,
  ETIMEDOUT: unreachable,
  EHOSTUNREACH: unreachable,
  ENOTFOUND: unreachable,
  EAI_AGAIN: unreachable,
  SlowDown: { reason: 'busy', retryAfterSeconds: 5 },
  ServiceUnavailable: { reason: 'busy', retryAfterSeconds: 5 },
  InternalError: { reason: 'failing', retryAfterSeconds: 10 },
};

/** Codes of the error and its causes. */
const codesOf = (error: unknown): string[] => {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return [...code, error.name, ...codesOf(error.cause)];
};

/** Turns a storage error in the table into an `UnavailableError`; leaves others unchanged. */
export const withStorageUnavailability = (error: unknown): unknown => {
  if (error instanceof UnavailableError) return error;
  const code = codesOf(error).find((known) => Object.hasOwn(byCode, known));
  const row = code === undefined ? undefined : byCode[code];
  if (code === undefined || !row) return error;
  return new UnavailableError('the storage cannot do this now', { ...row, code, cause: error });
};
