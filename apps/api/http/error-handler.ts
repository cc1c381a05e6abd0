import type { Context as KoaContext, Middleware } from 'koa';
import type { Context } from '#data/context.ts';
import { UnavailableError } from '#domain/errors.ts';
import type { Registry } from '../registry.ts';
import { renderFailure } from '../dialects.ts';
import { ApiError, commonError, unavailableOf } from '../errors.ts';
import { V2Error, sendProblem } from '../v2/errors.ts';
import type { V2Code } from '../v2/errors.ts';
import { isV2 } from './headers.ts';
import { sendUnknownPage } from '../pages/home.ts';
import { wantsPage } from '../pages/shell.ts';
import { elsewhere } from '../stages/resolve.ts';

/** The nearest existing path; null when none is similar. */
const pathHint = (path: string, method: string, registry: Registry): string | null => {
  const parts = path.split('/').filter((part) => part !== '');
  const last = parts.at(-1) ?? '';
  const bare = parts.filter((part, i) => i > 0 || !/^(?:api|v\d+)$/i.test(part)).join('/');
  const known = elsewhere(bare);
  if (known !== null) return known;
  const [query = '', icao = ''] = bare.split('/');
  const read = registry.find(query) ?? registry.find(registry.nearest(query)[0] ?? '');
  if (method === 'GET' && read?.get && /^[A-Z\d]{3,4}$/i.test(icao))
    return `a read is GET /api/get/${read.name}?icao=${icao.toUpperCase()}`;
  const named = registry.find(last) ?? registry.find(registry.nearest(last)[0] ?? '');
  const isBelowApi = parts.slice(0, -1).every((part) => /^(?:api|v\d+)$/i.test(part));
  if (named && isBelowApi && parts.length <= 3)
    return `queries have no separate paths: POST /api with {"query":"${named.name}","data":{…}}`;
  return parts.length > 0 && parts.length <= 2 && parts.some((part) => /^api$/i.test(part))
    ? 'the path is /api, in lower case and without anything after it'
    : null;
};

interface Refusal {
  main: ApiError;
  v2: V2Code;
}

/** Requests that Node would refuse by itself, without a request id and a body (RFC 9110, 7.2 and 10.1.1). */
const refusedByNode = ({ req }: KoaContext): Refusal | null => {
  if (req.headers.host === undefined && req.httpVersion === '1.1') {
    const message = 'The request has no Host header.';
    return { main: new ApiError('BAD_REQUEST', { status: 400, message }), v2: 'bad_request' };
  }
  const expected = req.headers.expect;
  if (expected === undefined || /^100-continue$/i.test(expected)) return null;
  const message = 'Only "Expect: 100-continue" is supported.';
  return { main: new ApiError('EXPECTATION_FAILED', { status: 417, message }), v2: 'expectation_failed' };
};

/** Below /api and /v2 every answer is JSON. */
const isOfPages = (path: string): boolean => !/^\/(?:api|v\d+)(?:\/|$)/i.test(path);
const queriesHint = 'queries are POST /api';
/** Longer paths are not typing errors. */
const maxPath = 100;

const isWithoutHttps = (context: Context, ctx: KoaContext): boolean =>
  context.config.REQUIRE_HTTPS && ctx.protocol !== 'https' && ctx.path !== '/healthz';

const refusalOf = (context: Context, ctx: KoaContext): Refusal | null =>
  refusedByNode(ctx) ??
  (isWithoutHttps(context, ctx) ? { main: commonError('HTTPS_REQUIRED'), v2: 'https_required' } : null);

/**
 * Answers requests that reached no operation: those refused by HTTP rules or configuration, unknown paths, and errors.
 */
export const errorHandler =
  (context: Context, registry: Registry): Middleware =>
  async (ctx, next) => {
    const fail = (error: ApiError) => {
      const { status, body } = renderFailure('flat', error, context.config.BASE_URL);
      ctx.status = status;
      ctx.set({ ...error.headers, 'Cache-Control': 'no-store' });
      ctx.body = body;
    };
    const refusal = refusalOf(context, ctx);
    if (refusal) {
      if (isV2(ctx.path)) sendProblem(ctx, new V2Error(refusal.v2));
      else fail(refusal.main);
      return;
    }
    try {
      await next();
      if (ctx.status === 404 && !ctx.body && isOfPages(ctx.path) && wantsPage(ctx)) sendUnknownPage(ctx);
      else if (ctx.status === 404 && !ctx.body) {
        ctx.vary('Accept');
        fail(commonError('NOT_FOUND', { hint: pathHint(ctx.path.slice(0, maxPath), ctx.method, registry) }));
      }
      // For a wrong method on a known path the router sets status and `Allow`, but no body.
      if ((ctx.status === 405 || ctx.status === 501) && !ctx.body) {
        const message = `This path supports ${ctx.response.get('Allow')} only.`;
        fail(
          commonError('METHOD_NOT_ALLOWED', { message, hint: ctx.method === 'POST' ? queriesHint : null }),
        );
      }
    } catch (error) {
      if (error instanceof ApiError) {
        fail(error);
        return;
      }
      if (error instanceof UnavailableError) {
        context.log.warn({ err: error, path: ctx.path }, 'not available now');
        fail(unavailableOf(error));
        return;
      }
      // A client that disconnected during its request is not an error and gets no response.
      if (ctx.req.destroyed && !ctx.req.complete) context.log.debug({ path: ctx.path }, 'request aborted');
      else context.log.error({ err: error, path: ctx.path }, 'request failed');
      fail(commonError('INTERNAL_ERROR'));
    }
  };
