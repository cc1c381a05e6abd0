export type SourceErrorCode =
  | 'REDIRECT'
  | 'HTML'
  | 'NOT_XML'
  | 'NOT_JSON'
  | 'SCHEMA_VERSION'
  | 'WRONG_CONTENT'
  | 'EMPTY'
  | 'NOT_FOUND'
  | 'RATE_LIMITED'
  | 'STATUS'
  | 'TRUNCATED'
  | 'INCOMPLETE'
  | 'CORRUPT'
  | 'TOO_LARGE'
  | 'TIMEOUT'
  | 'CONNECTION'
  | 'STALE'
  | 'GUARD'
  | 'ABORTED';

/** An outside source returned nothing that may be stored. The message is one line for the operator. */
export class SourceError extends Error {
  override name = 'SourceError';
  readonly code: SourceErrorCode;
  /** How long the source asked not to be called again. */
  readonly retryAfterSeconds: number | null;
  constructor(
    code: SourceErrorCode,
    message: string,
    options: { retryAfterSeconds?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}

/** Receives the reason not to store a delivery; the caller decides whether that throws or is noted. */
export type Refuse = (reason: string) => void;

export const refuseImport: Refuse = (reason) => {
  throw new SourceError('GUARD', `${reason}: nothing was stored.`);
};

const networkCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** True for an outside cause (data, server, network): logged in one line, since a stack trace adds nothing. */
export const isUpstreamError = (error: unknown): boolean =>
  error instanceof SourceError ||
  (error instanceof Error && 'code' in error && networkCodes.has(String(error.code)));

/** The address without user, password and query, which may contain keys. */
export const shownAddress = (address: string): string => {
  try {
    const url = new URL(address);
    return `${url.protocol}//${url.host}${url.pathname}`.replaceAll('%7B', '{').replaceAll('%7D', '}');
  } catch {
    // Templates such as {HH} need not be valid URLs; they contain no secrets.
    return address.replace(/\?.*$/, '');
  }
};

/** Throws HTML if a text is a web page: login and error pages often come with status 200. */
export const refuseHtml = (text: string, source = 'The source'): void => {
  if (/^\s*(?:<!doctype html|<html|<head|<body)/i.test(text.slice(0, 500)))
    throw new SourceError('HTML', `${source} answered with a web page instead of data.`);
};
