/**
 * Errors are data: a code, its HTTP status, its message with `{placeholders}`, the schema of its additional
 * fields.
 */
import { z } from 'zod';
import { OutcomeUnknownError } from '#domain/errors.ts';
import type { UnavailableError } from '#domain/errors.ts';

export interface ErrorEntry {
  status: number;
  /** `{field}` is replaced by the name of the offending field, `{name}` by that member of `extra`. */
  message: string;
  /** Additional fields next to the error, for example `current` of a version conflict. */
  extra?: z.ZodType<Record<string, unknown>>;
}

export type ErrorTable = Readonly<Record<string, number | ErrorEntry>>;

/** Failures of the dispatcher's stages, possible for any operation; an operation may override the message. */
export const commonErrors = {
  MISSING_QUERY: { status: 400, message: 'The body must name a query in the field "query".' },
  UNKNOWN_QUERY: {
    status: 400,
    message: 'Unknown query.',
    extra: z.strictObject({ nearest: z.array(z.string()) }),
  },
  INVALID_JSON: { status: 400, message: 'The body is not valid JSON.' },
  JSON_TOO_DEEP: { status: 400, message: 'The body is nested too deeply.' },
  INVALID_INPUT: { status: 400, message: 'The input is not valid.' },
  UNEXPECTED_FILE: { status: 400, message: 'This query does not accept a file.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Only POST is allowed here.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send application/json or multipart/form-data.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is too large.' },
  AUTH_REQUIRED: { status: 401, message: 'Authentication required.' },
  MISSING_HEADER: { status: 400, message: 'The header {field} is missing.' },
  INVALID_API_KEY: { status: 401, message: 'The API key is not valid.' },
  TIMESTAMP_OUT_OF_RANGE: {
    status: 401,
    message: 'X-Timestamp must be Unix seconds within 5 minutes of the time of the server.',
  },
  INVALID_SIGNATURE: { status: 401, message: 'The signature is not valid.' },
  UNKNOWN_ACTION: {
    status: 400,
    message: 'Unknown action.',
    extra: z.strictObject({ nearest: z.array(z.string()) }),
  },
  CONFIRMATION_REQUIRED: { status: 400, message: 'This action needs a confirmation_token.' },
  CONFIRMATION_INVALID: {
    status: 403,
    message: 'The confirmation token is not valid for this action, subscription and user.',
  },
  CONFIRMATION_EXPIRED: { status: 403, message: 'The confirmation token has expired.' },
  CONFIRMATION_USED: { status: 409, message: 'The confirmation token has already been used.' },
  INVALID_DEV_KEY: { status: 401, message: 'The developer key is missing or not valid.' },
  ACCESS_DENIED: { status: 403, message: 'The developer key does not have permission for this query.' },
  ACCOUNT_DISABLED: { status: 403, message: 'This account is disabled.' },
  SUBSCRIPTION_READ_REQUIRED: {
    status: 403,
    message: 'This query needs a developer key with access to subscriptions.',
  },
  SUBSCRIPTION_FULL_REQUIRED: {
    status: 403,
    message: 'This query needs a developer key with full access to subscriptions.',
  },
  SUBSCRIPTION_LEVEL_REQUIRED: {
    status: 403,
    message: 'This query requires a higher subscription level.',
    extra: z.strictObject({ requiredLevel: z.int() }),
  },
  REQUEST_TIMEOUT: { status: 408, message: 'The body arrived too slowly.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Please wait before trying again.' },
  HTTPS_REQUIRED: { status: 403, message: 'Use HTTPS.' },
  NOT_FOUND: { status: 404, message: 'Not found.' },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something went wrong on our side. Please include the log id when you report it.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service is not available right now. Please try again shortly.',
  },
  INVALID_IDEMPOTENCY_KEY: {
    status: 400,
    message: 'Idempotency-Key must have 1 to 255 visible ASCII characters.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key belongs to another call. A new call needs a new key.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    message: 'The first call with this Idempotency-Key is still running. Repeat it after Retry-After.',
  },
  IDEMPOTENT_ANSWER_LOST: {
    status: 409,
    message:
      'The first call with this Idempotency-Key succeeded, but its answer is no longer available. Read what it changed.',
  },
  DELETED_SINCE: {
    status: 409,
    message:
      'The item that an earlier call with this clientId created has since been deleted. Nothing was created.',
  },
  GATEWAY_REFUSED: { status: 422, message: 'The payment gateway refused this.' },
  OUTCOME_UNKNOWN: {
    status: 503,
    message: 'The change may or may not have been made. Check before you repeat the request.',
  },
} as const satisfies ErrorTable;

export type CommonCode = keyof typeof commonErrors;

/** Messages of codes that several operations declare with only a status. */
const sharedMessages = {
  MISSING_FIELD: 'Missing required field: {field}.',
  INVALID_FIELD: 'Invalid value for field: {field}.',
  FORBIDDEN: 'You are not allowed to do this.',
  AIRPORT_NOT_FOUND: 'Unknown airport.',
  AIRCRAFT_NOT_FOUND: 'Unknown aircraft profile.',
  RUNWAY_NOT_FOUND: 'Unknown runway at this airport.',
  DB_ERROR: 'The database could not store the change.',
} as const;

const messages: Readonly<Record<string, string>> = sharedMessages;

const humanised = (code: string): string =>
  `${code.charAt(0)}${code.slice(1).toLowerCase().replaceAll('_', ' ')}.`;

/** The operation's entry takes precedence over the common one; a bare status gets the shared message. */
export const errorEntry = (table: ErrorTable, code: string): ErrorEntry | null => {
  const own = Object.hasOwn(table, code) ? table[code] : undefined;
  const common: ErrorEntry | null = Object.hasOwn(commonErrors, code)
    ? commonErrors[code as CommonCode]
    : null;
  if (own === undefined) return common;
  if (typeof own === 'object') return own;
  return { ...common, status: own, message: common?.message ?? messages[code] ?? humanised(code) };
};

type EntryOf<E extends ErrorTable, C> = C extends keyof E
  ? E[C]
  : C extends CommonCode
    ? (typeof commonErrors)[C]
    : never;

type MessageOf<E extends ErrorTable, C> =
  EntryOf<E, C> extends { message: infer M }
    ? M
    : C extends keyof typeof sharedMessages
      ? (typeof sharedMessages)[C]
      : '';

type FieldOption<E extends ErrorTable, C> =
  MessageOf<E, C> extends `${string}{field}${string}` ? { field: string } : { field?: string };

type ExtraOption<E extends ErrorTable, C> =
  EntryOf<E, C> extends { extra: infer S extends z.ZodType } ? { extra: z.input<S> } : { extra?: never };

/** What a failure with this code requires; `details` has one line per problem. */
type FailOptions<E extends ErrorTable, C> = FieldOption<E, C> &
  ExtraOption<E, C> & { details?: readonly string[]; hint?: string | null };

/** Options are optional for codes that require none. */
export type FailArguments<E extends ErrorTable, C> =
  Record<string, never> extends FailOptions<E, C>
    ? [options?: FailOptions<E, C>]
    : [options: FailOptions<E, C>];

export interface ErrorOptions {
  field?: string;
  details?: readonly string[];
  /** Lines that every form shows, regardless of the code. */
  hints?: readonly string[];
  /** The suggested correction, next to the message; null if there is none. */
  hint?: string | null;
  extra?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
  /** Replaces the message of the entry. */
  message?: string;
}

/** Fills the placeholders; a missing value is a bug in the caller and throws. */
const filled = (message: string, { field, extra = {} }: ErrorOptions): string =>
  message.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = name === 'field' ? field : extra[name];
    if (value === undefined) throw new Error(`No value for {${name}} in "${message}"`);
    return typeof value === 'string' ? value : JSON.stringify(value);
  });

/** Codes that list one problem per line, "path: problem" (G-08, G-25); the first is also the message. */
export const listsFields: ReadonlySet<string> = new Set([
  'INVALID_INPUT',
  'INVALID_FIELD',
  'INVALID_STRUCTURE',
  'INVALID_WAYPOINTS',
  'INVALID_PROFILE_DATA',
]);

const pathAndProblem = (line = ''): RegExpExecArray | null => /^(\S{1,200}): (.+)$/s.exec(line);

/** Turns `qnh: must be a number` into a sentence and adds the number of further problems. */
const sentenceOf = ([line = '', ...others]: readonly string[]): string => {
  const [, path = '', problem = ''] = pathAndProblem(line) ?? [];
  const text = /^(?:must|is|are|has|contains|cannot)\b/.test(problem) ? `${path} ${problem}` : line;
  const end = /[.?]$/.test(text) ? '' : '.';
  return `${text}${end}${others.length > 0 ? ` (${others.length} more in details)` : ''}`;
};

/** An error that the renderer turns into a response. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: string;
  readonly status: number;
  readonly extra: Readonly<Record<string, unknown>>;
  /** Path of the offending field. */
  readonly field: string | null;
  /** Every problem of the input, one per line, for error forms that list them. */
  readonly details: readonly string[];
  /** Other possible problems, one per line, shown in every error form. */
  readonly hints: readonly string[];
  hint: string | null;
  readonly headers: Readonly<Record<string, string>>;
  constructor(code: string, entry: ErrorEntry, options: ErrorOptions = {}) {
    const lines = listsFields.has(code) ? [...(options.details ?? []), ...(options.hints ?? [])] : [];
    super(options.message ?? (lines.length > 0 ? sentenceOf(lines) : filled(entry.message, options)));
    this.code = code;
    this.field = options.field ?? pathAndProblem(lines[0])?.[1] ?? null;
    this.status = entry.status;
    this.extra = options.extra ?? {};
    this.details = options.details ?? [];
    this.hints = options.hints ?? [];
    this.hint = options.hint || null;
    this.headers = options.headers ?? {};
  }
}

/** An error from the operation's table, or from the common one. */
export const declaredError = (table: ErrorTable, code: string, options?: ErrorOptions): ApiError => {
  const entry = errorEntry(table, code);
  if (!entry) throw new Error(`${code} is not a declared error`);
  return new ApiError(code, entry, options);
};

/** This message, unless the operation declares its own, which is specified word for word. */
export const worded = (table: ErrorTable, code: string, message: string): { message?: string } =>
  typeof table[code] === 'object' ? {} : { message };

export const commonError = (code: CommonCode, options?: ErrorOptions): ApiError =>
  new ApiError(code, commonErrors[code], options);

/** 503 with Retry-After, for a database or disk that is temporarily unavailable. */
export const unavailableOf = (error: UnavailableError): ApiError =>
  commonError(error instanceof OutcomeUnknownError ? 'OUTCOME_UNKNOWN' : 'SERVICE_UNAVAILABLE', {
    headers: { 'Retry-After': String(error.retryAfterSeconds) },
  });
