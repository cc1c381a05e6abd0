import type { Queries } from './generated/queries.ts';
import type { ErrorCode, QueryName } from './types.ts';

interface ErrorParts {
  query: string;
  code: string;
  status: number;
  logId: number | null;
  details: readonly string[];
  retryAfterSeconds: number | null;
  body: Readonly<Record<string, unknown>>;
}

/** Any failure of a call, except its cancellation. */
export class EfbError extends Error {
  override name = 'EfbError';
  readonly query: string;
  /** A code of the service, or a `ClientCode`. */
  readonly code: string;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** Log id of the call, for questions to the service's operator. */
  readonly logId: number | null;
  /** One problem of the input per line, if the service lists them, and hints. */
  readonly details: readonly string[];
  readonly retryAfterSeconds: number | null;
  /** The whole answer, with the additional fields of some errors. */
  readonly body: Readonly<Record<string, unknown>>;

  constructor(message: string, parts: ErrorParts, options?: ErrorOptions) {
    super(message, options);
    this.query = parts.query;
    this.code = parts.code;
    this.status = parts.status;
    this.logId = parts.logId;
    this.details = parts.details;
    this.retryAfterSeconds = parts.retryAfterSeconds;
    this.body = parts.body;
  }
}

/**
 * Codes of this client: no connection, timeout, an answer that does not come from the service, a status without a code.
 */
export type ClientCode = 'NETWORK_ERROR' | 'TIMEOUT' | 'INVALID_ANSWER' | `HTTP_${number}`;

const clientCode = /^(?:NETWORK_ERROR|TIMEOUT|INVALID_ANSWER|HTTP_\d+)$/;

/** Queries that fetch a token: if one fails, the call that needed the token throws its error. */
const givesToken: ReadonlySet<string> = new Set(['login', 'refreshToken']);

/** An error with this code, typed with the query's additional fields. */
export type EfbErrorOf<Q extends QueryName, C extends ErrorCode<Q> | ClientCode> = EfbError & {
  code: C;
  body: C extends ErrorCode<Q> ? Queries[Q]['errors'][C] : Readonly<Record<string, unknown>>;
};

/** `if (isErrorOf(error, 'flightDataSave', 'VERSION_CONFLICT')) error.body.current.version` */
export const isErrorOf = <Q extends QueryName, C extends ErrorCode<Q> | ClientCode>(
  error: unknown,
  query: Q,
  code: C,
): error is EfbErrorOf<Q, C> =>
  error instanceof EfbError &&
  error.code === code &&
  (error.query === query || (clientCode.test(code) && givesToken.has(error.query)));

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((line) => typeof line === 'string') : [];

/** Codes for error form (c), which states none itself for these statuses. */
const codeOfStatus: Readonly<Record<number, string>> = {
  400: 'INVALID_INPUT',
  401: 'AUTH_REQUIRED',
  403: 'FORBIDDEN',
  429: 'RATE_LIMITED',
  500: 'INTERNAL_ERROR',
  503: 'SERVICE_UNAVAILABLE',
};

interface Problem {
  message: string;
  code: string;
  details: string[];
}

/** Form (b): a list of messages, with the code in the first one. */
const fromList = (entries: readonly unknown[], fallback: string): Problem => {
  const records = entries.filter(isRecord);
  const lines = records.flatMap(({ message, Message }) => textsOf([message ?? Message]));
  const code = records[0]?.['code'];
  return {
    message: lines[0] ?? 'The call failed.',
    code: typeof code === 'string' ? code : fallback,
    details: [...lines.slice(1), ...textsOf([records[0]?.['hint']])],
  };
};

/** The problem in any form of the contract; null for a successful answer. */
export const problemOf = (status: number, body: Record<string, unknown>): Problem | null => {
  const fallback = codeOfStatus[status] ?? `HTTP_${status}`;
  const { Error: list, error, details, code } = body;
  // Some queries report errors with status 200.
  if (Array.isArray(list)) return fromList(list, fallback);
  if (status >= 200 && status < 300) return null;
  if (!isRecord(error))
    return {
      message: typeof error === 'string' ? error : `The service answered ${status}.`,
      code: typeof code === 'string' ? code : fallback,
      details: textsOf(details),
    };
  return {
    message: typeof error['message'] === 'string' ? error['message'] : `The service answered ${status}.`,
    code: typeof error['code'] === 'string' ? error['code'] : fallback,
    details: [...textsOf(error['details']), ...textsOf([error['hint']])],
  };
};

/** Seconds from `Retry-After`, which may also be a date. */
export const retryAfterOf = (headers: Headers, now: number): number | null => {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
};
