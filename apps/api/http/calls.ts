/** Between Koa and the dispatcher: turns a request into a call, measures and traces it, and sends the response. */
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Context as KoaContext, Middleware } from 'koa';
import { requestServed } from '#platform/metrics/activities.ts';
import type { RequestServed } from '#platform/metrics/activities.ts';
import type { ApiRequest } from '../call.ts';
import type { ApiResponse, Dispatch } from '../dispatch.ts';
import { isV2 } from './headers.ts';
import type { Metrics } from './metrics.ts';
import type { Context } from '#data/context.ts';
import type { Registries } from '../registry.ts';
import type { Services } from '../services/services.ts';

/** Health checks would drown out other requests in traces. */
const unwatched: ReadonlySet<string> = new Set(['/healthz', '/readyz']);

/** Publishes every request for tracing. */
export const traced: Middleware = (ctx, next) => {
  if (!requestServed.isWatched() || unwatched.has(ctx.path)) return next();
  const served: RequestServed = { method: ctx.method, headers: ctx.headers };
  ctx.state['served'] = served;
  return requestServed.run(served, async () => {
    await next();
    served.status = ctx.status;
    // Paths of /v2 have no parameters.
    const fixed = isV2(ctx.path) && ctx.status !== 404 ? ctx.path : undefined;
    served.route ??= (ctx['_matchedRoute'] as string | undefined) ?? fixed;
  });
};

/** Aborted when the connection ends before the response has. */
export const clientAbortOf = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController();
  const end = () => controller.abort();
  if (response.destroyed || response.socket?.destroyed) end();
  else response.once('close', end);
  return controller.signal;
};

/** What the routes are made of. */
export interface RouteParts {
  context: Context;
  services: Services;
  registries: Registries;
  dispatch: Dispatch;
  metrics: Metrics;
  isStopping: () => boolean;
}

/** Dispatches a request and sets the status and headers of the response. */
export const answered = async (
  { dispatch, metrics }: Pick<RouteParts, 'dispatch' | 'metrics'>,
  ctx: KoaContext,
  request: Pick<ApiRequest, 'body'> & Partial<ApiRequest>,
): Promise<ApiResponse> => {
  const started = performance.now();
  const { headers, ip, state } = ctx;
  const response = await dispatch({ headers, ip, requestId: state['requestId'] as string, ...request });
  const { operation, status, errorCode } = response;
  const served = state['served'] as RequestServed | undefined;
  if (served)
    Object.assign(served, {
      route: ctx.path,
      query: operation ?? undefined,
      errorCode: errorCode ?? undefined,
      logId: response.headers['X-SVC-Log-Id'],
    });
  ctx.status = status;
  ctx.set({ ...response.headers, 'Cache-Control': 'no-store' });
  metrics.observe(operation ?? '-', status, errorCode, (performance.now() - started) / 1_000);
  return response;
};

/** A stream that fails closes the connection, so that no client takes a partial answer for a complete one. */
const joined = async function* joined(parts: ApiResponse['parts']) {
  for (const part of parts)
    if (typeof part === 'string') yield Buffer.from(part);
    else yield* part.read();
};

export const sendAnswer = (ctx: KoaContext, { parts }: Pick<ApiResponse, 'parts'>): void => {
  ctx.type = 'application/json';
  const [text, ...more] = parts;
  ctx.body =
    more.length === 0 && typeof text === 'string'
      ? text
      : Readable.from(joined(parts), { objectMode: false });
};
