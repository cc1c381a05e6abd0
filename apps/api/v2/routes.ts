import type { Context as KoaContext, Middleware } from 'koa';
import type { Context } from '#data/context.ts';
import { version } from '#platform/command-line.ts';
import { feedStatusRepo } from '#store/postgres/feeds/status.ts';
import { isV2 } from '../http/headers.ts';
import { createDocument, sendDocument } from '../http/documents.ts';
import { openApiDocument } from './document.ts';
import { V2Error, sendProblem } from './errors.ts';

const serviceName = 'EFB Service';

type Endpoint = (ctx: KoaContext) => void | Promise<void>;

const hasBearer = (header: string): boolean => /^Bearer\s+\S/i.test(header);

/** ISO 8601 with an explicit offset, as specified. */
const withOffset = (date: Date): string => date.toISOString().replace('Z', '+00:00');

/**
 * Whether the data are simulated, by configuration or as the scheduler declared. Refreshed in the background, so no
 * answer waits for the database.
 */
const simulatedWatch = ({ config, postgres, log }: Context): (() => boolean) => {
  let isSimulated = config.SOURCES === 'simulated';
  let isAsking = false;
  const ask = async () => {
    isAsking = true;
    try {
      isSimulated = await feedStatusRepo(postgres.db).isSimulated();
    } catch (error) {
      log.debug({ err: error }, 'the state of the sources cannot be read');
    } finally {
      isAsking = false;
    }
  };
  return () => {
    if (config.SOURCES !== 'simulated' && !isAsking) void ask();
    return isSimulated;
  };
};

const endpointsOf = (context: Context): ReadonlyMap<string, Endpoint> => {
  const isSimulated = simulatedWatch(context);
  const text = JSON.stringify(openApiDocument(context.config.BASE_URL));
  const document = createDocument('application/json', text);
  return new Map<string, Endpoint>([
    [
      '/v2/health',
      (ctx) => {
        ctx.set('Cache-Control', 'no-store');
        ctx.body = {
          status: 'ok',
          service: serviceName,
          environment: context.config.DEPLOYMENT,
          apiVersion: 'v2',
          version,
          ...(isSimulated() ? { sources: 'simulated' } : {}),
          time: withOffset(context.clock.now()),
        };
      },
    ],
    ['/v2/openapi.json', (ctx) => sendDocument(ctx, document, 'no-cache')],
    [
      '/v2/me',
      (ctx) => {
        ctx.set('Cache-Control', 'no-store');
        // No authorisation system exists yet, so tokens cannot be verified (V-5.7, V-5.8).
        throw new V2Error(
          hasBearer(ctx.get('Authorization')) ? 'authentication_unavailable' : 'authentication_required',
        );
      },
    ],
  ]);
};

/** The /v2 interface: three paths; everything else under the prefix is an error in its own form. */
export const v2Routes = (context: Context): Middleware => {
  const endpoints = endpointsOf(context);
  return async (ctx, next) => {
    if (!isV2(ctx.path)) return next();
    const send = (error: V2Error) => sendProblem(ctx, error);
    const endpoint = endpoints.get(ctx.path);
    if (!endpoint) return send(new V2Error('not_found'));
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      return send(new V2Error('method_not_allowed', { Allow: 'GET, HEAD, OPTIONS' }));
    }
    try {
      await endpoint(ctx);
    } catch (error) {
      if (error instanceof V2Error) return send(error);
      context.log.error({ err: error, path: ctx.path }, 'v2 endpoint failed');
      return send(new V2Error('internal_error'));
    }
    return undefined;
  };
};
