import type { Context as KoaContext } from 'koa';

/** Error form of /v2: RFC 9457 members plus the specification's `code`, `message` and `requestId` (G-28). */

const entries = {
  authentication_required: { status: 401, message: 'Send an access token in the Authorization header.' },
  authentication_unavailable: { status: 503, message: 'Access tokens cannot be checked yet.' },
  invalid_token: { status: 401, message: 'The access token is not valid here.' },
  insufficient_scope: { status: 403, message: 'The access token does not cover this request.' },
  bad_request: { status: 400, message: 'The request is malformed.' },
  https_required: { status: 403, message: 'Use HTTPS.' },
  not_found: { status: 404, message: 'Unknown path.' },
  method_not_allowed: { status: 405, message: 'This path supports GET only.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  expectation_failed: { status: 417, message: 'Only "Expect: 100-continue" is supported.' },
  rate_limited: { status: 429, message: 'Too many requests. Please wait before trying again.' },
  payload_too_large: { status: 413, message: 'The request is too large.' },
  internal_error: { status: 500, message: 'Something went wrong on our side.' },
} as const;

export const v2Codes = Object.keys(entries) as readonly V2Code[];

export type V2Code = keyof typeof entries;

export class V2Error extends Error {
  override name = 'V2Error';
  readonly code: V2Code;
  readonly entry: { status: number; message: string };
  readonly headers: Record<string, string>;
  constructor(code: V2Code, headers: Record<string, string> = {}) {
    super(entries[code].message);
    this.code = code;
    this.entry = entries[code];
    this.headers = this.entry.status === 401 ? { ...headers, 'WWW-Authenticate': 'Bearer' } : headers;
  }
}

export const problemOf = (error: V2Error, requestId: string) => ({
  type: 'about:blank',
  title: error.code.replaceAll('_', ' '),
  status: error.entry.status,
  code: error.code,
  message: error.message,
  requestId,
});

export const sendProblem = (ctx: KoaContext, error: V2Error): void => {
  ctx.status = error.entry.status;
  ctx.set(error.headers);
  ctx.body = problemOf(error, ctx.state['requestId'] as string);
  ctx.type = 'application/problem+json';
};
