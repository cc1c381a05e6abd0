/** Errors are data: a code, its HTTP status, its text. `{field}` in a text is filled by the dispatcher. */

export interface ErrorEntry {
  status: number;
  message: string;
}

export type ErrorTable = Readonly<Record<string, number | ErrorEntry>>;

/** Failures that any operation can meet in the dispatcher's stages; an operation may give its own text. */
export const commonErrors = {
  MISSING_QUERY: { status: 400, message: 'The body must name an operation in the field "query".' },
  UNKNOWN_QUERY: { status: 400, message: 'There is no operation of this name.' },
  INVALID_JSON: { status: 400, message: 'The body is not valid JSON.' },
  INVALID_INPUT: { status: 400, message: 'The input is not valid.' },
  TOO_DEEP: { status: 400, message: 'The body is nested deeper than 64 levels.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Only POST is allowed here.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'Send application/json or multipart/form-data.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is too large.' },
  AUTH_REQUIRED: { status: 401, message: 'Authentication required.' },
  INVALID_DEV_KEY: { status: 401, message: 'The developer key is missing or not valid.' },
  ACCESS_DENIED: {
    status: 403,
    message: 'The developer key does not have the permission for this operation.',
  },
  ACCOUNT_DISABLED: { status: 403, message: 'This account is disabled.' },
  SUBSCRIPTION_LEVEL_REQUIRED: { status: 403, message: 'This operation needs a higher subscription level.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Please wait before trying again.' },
  HTTPS_REQUIRED: { status: 403, message: 'Use HTTPS.' },
  NOT_FOUND: { status: 404, message: 'Not found.' },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something went wrong on our side. Quote the log id when you report it.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service is not available right now. Please try again shortly.',
  },
} as const satisfies ErrorTable;

export type CommonCode = keyof typeof commonErrors;

/** Texts of codes that several operations declare with a bare status. */
const texts: Readonly<Record<string, string>> = {
  MISSING_FIELD: 'Missing required field: {field}.',
  INVALID_FIELD: 'Invalid value for field: {field}.',
  FORBIDDEN: 'You are not allowed to do this.',
  AIRPORT_NOT_FOUND: 'There is no such airport.',
  AIRCRAFT_NOT_FOUND: 'There is no such aircraft profile.',
  RUNWAY_NOT_FOUND: 'There is no such runway at this airport.',
  DB_ERROR: 'The database could not store the change.',
};

const humanised = (code: string): string =>
  `${code.charAt(0)}${code.slice(1).toLowerCase().replaceAll('_', ' ')}.`;

/** The operation's own entry wins over the common one; a bare status takes the shared text. */
export const errorEntry = (table: ErrorTable, code: string): ErrorEntry | null => {
  const own = table[code];
  const common = code in commonErrors ? commonErrors[code as CommonCode] : null;
  if (own === undefined) return common;
  if (typeof own === 'object') return own;
  return { status: own, message: common?.message ?? texts[code] ?? humanised(code) };
};

/** A failure on its way to the renderer. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: string;
  readonly status: number;
  readonly extra: Readonly<Record<string, unknown>>;
  /** Every problem of the input, one line each, for forms that list them. */
  readonly details: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    code: string,
    entry: ErrorEntry,
    options: {
      extra?: Record<string, unknown>;
      details?: readonly string[];
      headers?: Record<string, string>;
      message?: string;
    } = {},
  ) {
    super(options.message ?? entry.message);
    this.code = code;
    this.status = entry.status;
    this.extra = options.extra ?? {};
    this.details = options.details ?? [];
    this.headers = options.headers ?? {};
  }
}

export const commonError = (
  code: CommonCode,
  options?: ConstructorParameters<typeof ApiError>[2],
): ApiError => new ApiError(code, commonErrors[code], options);
