import type { Middleware } from 'koa';
import { ApiError } from '../errors.ts';
import { perMinute } from '../limits.ts';
import { networkOf } from '../services/rate-limiter.ts';
import type { RateLimiter } from '../services/rate-limiter.ts';
import { V2Error, sendProblem } from '../v2/errors.ts';
import { isV2 } from './headers.ts';

/** Public resources and their limits per network. Health probes are not counted. */
const publicGets = [
  {
    paths:
      /^\/(?:$|favicon|landing\.png$|robots\.txt$|sitemap\.xml$|try(?:\/|$)|status(?:\.json|\/|$)|docs(?:\/|$)|map\/|api\/openapi\.json$|api\/schemas(?:\/|$)|v2\/openapi\.json$|share$|reset-password$|device$|\.well-known\/)/,
    limit: perMinute('documents', 300, 'ip'),
  },
  {
    paths: /^\/(?:graphics|prints|pictures|library|logos|products)\//,
    limit: perMinute('publicFiles', 1_200, 'ip'),
  },
];

/** Counts GET requests for public resources, before any work is done for them. Throws RATE_LIMITED. */
export const limitPublicGets =
  (limiter: Pick<RateLimiter, 'take'>): Middleware =>
  async (ctx, next) => {
    const isGet = ctx.method === 'GET' || ctx.method === 'HEAD';
    const known = isGet ? publicGets.find(({ paths }) => paths.test(ctx.path)) : undefined;
    if (!known) return next();
    try {
      ctx.set((await limiter.take(known.limit, `ip:${networkOf(ctx.ip)}`)).headersOf());
    } catch (error) {
      if (!(error instanceof ApiError) || !isV2(ctx.path)) throw error;
      sendProblem(ctx, new V2Error('rate_limited', { ...error.headers }));
      return undefined;
    }
    return next();
  };
