import Koa from 'koa';
import compress from 'koa-compress';
import type { Context } from '#data/context.ts';
import { consoleSite } from './console/site.ts';
import { developerSite } from './developers/site.ts';
import { createDispatcher } from './dispatch.ts';
import { changeStream } from './http/change-stream.ts';
import { commonHeaders, cors } from './http/headers.ts';
import { createMetrics } from './http/metrics.ts';
import type { Metrics } from './http/metrics.ts';
import { errorHandler } from './http/error-handler.ts';
import { oauthRoutes } from './http/oauth.ts';
import { resumableUploads } from './http/resumable-uploads.ts';
import { limitPublicGets } from './http/public-gets.ts';
import { traced } from './http/calls.ts';
import type { Registries } from './registry.ts';
import { apiRoute, routes } from './routes.ts';
import type { Services } from './services/services.ts';
import { siteRoutes } from './site/site.ts';
import { v2Routes } from './v2/routes.ts';
import { subscriptionRoutes } from './http/subscription-routes.ts';
import { webRoutes } from './pages/routes.ts';
import { homeRoutes } from './pages/home.ts';
import { tryRoutes } from './pages/try.ts';
import { docsRoutes } from './pages/docs/routes.ts';
import { statusRoutes } from './pages/status.ts';

const compression = compress({ zstd: false, deflate: false, wildcardAcceptEncoding: 'br' });

/** Nothing is compressed if the request has no Accept-Encoding, or one that accepts no encoding. */
const compressed: Koa.Middleware = (ctx, next) => {
  const accepted = ctx.req.headers['accept-encoding'];
  if (accepted !== undefined && ctx.acceptsEncodings('br', 'gzip', 'identity') !== false)
    return compression(ctx, next);
  ctx.vary('Accept-Encoding');
  return next();
};

/** The Koa app: headers, CORS, then `/api`, then compression, /v2, pages and the other routes. */
export const createApp = (
  context: Context,
  services: Services,
  registries: Registries,
): { koa: Koa; metrics: Metrics; stopping: () => void } => {
  const koa = new Koa();
  koa.proxy = context.config.TRUSTED_PROXIES > 0;
  koa.maxIpsCount = context.config.TRUSTED_PROXIES;
  koa.on('error', (error: unknown) => context.log.debug({ err: error }, 'connection error'));
  const state = { stopping: false };
  const registry = registries.queries;
  const dispatch = createDispatcher(context, services, registry);
  const metrics = createMetrics(context, services);

  const parts = {
    context,
    services,
    registry,
    registries,
    dispatch,
    metrics,
    isStopping: () => state.stopping,
  };

  koa.use(traced);
  koa.use(commonHeaders);
  koa.use(errorHandler(context, registry));
  koa.use(cors(context.config));
  koa.use(apiRoute(parts));
  koa.use(changeStream(parts));
  koa.use(resumableUploads(parts));
  koa.use(subscriptionRoutes(parts));
  koa.use(compressed);
  koa.use(limitPublicGets(services.rateLimiter));
  koa.use(siteRoutes(consoleSite, parts));
  koa.use(siteRoutes(developerSite, parts));
  koa.use(oauthRoutes(parts));
  koa.use(v2Routes(context));
  koa.use(webRoutes({ context, services }));
  koa.use(statusRoutes(context));
  koa.use(homeRoutes(context));
  koa.use(tryRoutes(services));
  koa.use(docsRoutes(context.config.BASE_URL, registries));
  koa.use(routes(parts));
  return {
    koa,
    metrics,
    /** Fails the readiness check, so that load balancers stop sending traffic before the server closes. */
    stopping: () => {
      state.stopping = true;
    },
  };
};
