import type { Context as KoaContext, Middleware } from 'koa';
import { requestServed } from '#platform/metrics/activities.ts';
import type { RequestServed } from '#platform/metrics/activities.ts';
import type { ApiResponse } from '../dispatch.ts';
import { isV2 } from './headers.ts';

/** Calls of these every few seconds would only hide the others. */
const unwatched: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** What the answer of an operation adds to the request's span. */
export const noteAnswer = (ctx: KoaContext, { operation, errorCode, headers }: ApiResponse): void => {
  const served = ctx.state['served'] as RequestServed | undefined;
  if (!served) return;
  served.route = ctx.path;
  served.query = operation ?? undefined;
  served.errorCode = errorCode ?? undefined;
  served.logId = headers['X-SVC-Log-Id'];
};

/** Publishes every request to whoever traces them. */
export const traced: Middleware = (ctx, next) => {
  if (!requestServed.isWatched() || unwatched.has(ctx.path)) return next();
  const served: RequestServed = { method: ctx.method, headers: ctx.headers };
  ctx.state['served'] = served;
  return requestServed.run(served, async () => {
    await next();
    served.status = ctx.status;
    // Paths of /v2 have no values.
    const fixed = isV2(ctx.path) && ctx.status !== 404 ? ctx.path : undefined;
    served.route ??= (ctx['_matchedRoute'] as string | undefined) ?? fixed;
  });
};
