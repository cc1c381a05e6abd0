import { Router } from '@koa/router';
import Koa from 'koa';
import type { Context } from '#data/context.ts';
import { codeOf } from '#domain/errors.ts';
import { consoleSite } from './console/site.ts';
import { developerSite } from './developers/site.ts';
import { createDispatcher } from './dispatch.ts';
import { changeStream } from './http/change-stream.ts';
import { compressed } from './http/compression.ts';
import { commonHeaders, cors } from './http/headers.ts';
import { createMetrics } from './http/metrics.ts';
import type { Metrics } from './http/metrics.ts';
import { errorHandler } from './http/error-handler.ts';
import { oauthRoutes } from './http/oauth.ts';
import { resumableUploads } from './http/resumable-uploads.ts';
import { limitPublicGets } from './http/public-gets.ts';
import { traced } from './http/calls.ts';
import type { Registries } from './registry.ts';
import { apiRoute, otherRoutes } from './routes.ts';
import type { Services } from './services/services.ts';
import { siteRoutes } from './site/site.ts';
import { v2Routes } from './v2/routes.ts';
import { subscriptionRoutes } from './http/subscription-routes.ts';
import { webRoutes } from './pages/routes.ts';
import { homeRoutes } from './pages/home.ts';
import { tryRoutes } from './pages/try.ts';
import { docsRoutes } from './pages/docs/routes.ts';
import { statusRoutes } from './pages/status.ts';

/** The Koa app: headers, CORS, compression, then `/api` with its uploads and webhooks, /v2, pages and the other routes. */
export const createApp = (
  context: Context,
  services: Services,
  registries: Registries,
): { koa: Koa; metrics: Metrics; stopping: () => void } => {
  const koa = new Koa();
  koa.proxy = context.config.TRUSTED_PROXIES > 0;
  koa.maxIpsCount = context.config.TRUSTED_PROXIES;
  koa.on('error', (error: unknown) => {
    const isGone = ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE'].includes(codeOf(error));
    context.log[isGone ? 'debug' : 'error']({ err: error }, 'an answer could not be sent');
  });
  let isStopping = false;
  const parts = {
    context,
    services,
    registries,
    dispatch: createDispatcher(context, services, registries.queries),
    metrics: createMetrics(context, services),
    isStopping: () => isStopping,
  };

  koa.use(traced);
  koa.use(commonHeaders);
  koa.use(errorHandler(context, registries.queries));
  koa.use(cors(context.config));
  koa.use(changeStream(parts));
  koa.use(resumableUploads(parts));
  koa.use(compressed);
  koa.use(apiRoute(parts));
  koa.use(subscriptionRoutes(parts));
  koa.use(limitPublicGets(services.rateLimiter));
  koa.use(siteRoutes(consoleSite, parts));
  koa.use(siteRoutes(developerSite, parts));
  koa.use(v2Routes(context));
  const router = new Router();
  oauthRoutes(router, parts);
  webRoutes(router, { context, services });
  statusRoutes(router, context);
  homeRoutes(router, context);
  tryRoutes(router, services);
  docsRoutes(router, context.config.BASE_URL, registries);
  otherRoutes(router, parts);
  koa.use(router.routes() as Koa.Middleware);
  koa.use(router.allowedMethods() as Koa.Middleware);
  return {
    koa,
    metrics: parts.metrics,
    /** Fails the readiness check, so that load balancers stop sending traffic before the server closes. */
    stopping: () => {
      isStopping = true;
    },
  };
};
