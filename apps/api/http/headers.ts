import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Config } from '#platform/config/config.ts';
import { contractVersion } from '../v2/document.ts';

const requestIdForm = /^[A-Za-z0-9._-]{8,64}$/;

/** The client's request id if well-formed, else a new one; an invalid id is never echoed (V-8.1, V-8.2). */
const requestIdOf = (given: string | undefined): string =>
  given !== undefined && requestIdForm.test(given) ? given : randomUUID();

const security = Object.entries({
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
});

/** Headers of every response: request id, /v2 version, security. Routes may override the policy. */
export const commonHeaders: Middleware = async (ctx, next) => {
  const requestId = requestIdOf(ctx.get('X-Request-Id') || undefined);
  ctx.state['requestId'] = requestId;
  ctx.res.setHeader('X-Request-Id', requestId);
  for (const [name, value] of security) ctx.res.setHeader(name, value);
  if (isV2(ctx.path)) ctx.set('X-API-Contract-Version', contractVersion);
  await next();
};

export const isV2 = (path: string): boolean => path === '/v2' || path.startsWith('/v2/');

/** True for the path of resumable uploads. */
export const isResumable = (path: string): boolean => path.startsWith('/api/uploads/');

const exposed =
  'X-Request-Id, X-API-Contract-Version, X-SVC-Log-Id, RateLimit, RateLimit-Policy, Retry-After, ETag, ' +
  'Accept-Ranges, Content-Range, Content-Disposition, Date, Idempotent-Replayed, Tus-Resumable, Upload-Offset, Upload-Length';
const allowed =
  'Authorization, Content-Type, X-Request-Id, X-Dev-Key, X-API-Version, X-SVC-Client, X-SVC-Device, X-SVC-OS, ' +
  'X-SVC-App-Version, X-SVC-Build, X-SVC-Contract-Version, X-Strict, If-None-Match, Last-Event-ID, Idempotency-Key, ' +
  'Tus-Resumable, Upload-Offset, Upload-Length';

const methodsOf = (path: string): string => {
  if (isV2(path)) return 'GET, OPTIONS';
  return isResumable(path) ? 'HEAD, PATCH, OPTIONS' : 'GET, POST, OPTIONS';
};

/** CORS (G-38, V-1.5). Server-to-server paths and the console allow no other origin. */
export const cors = (config: Config): Middleware => {
  const any = config.CORS_ORIGINS.includes('*');
  return async (ctx, next) => {
    const sameOriginOnly =
      ctx.path.startsWith('/api/webhooks/') ||
      ctx.path === '/subscription.php' ||
      /^\/console(?:\/|$)/.test(ctx.path);
    const origin = ctx.get('Origin');
    if (sameOriginOnly || (origin === '' && ctx.method !== 'OPTIONS')) return next();
    if (!any) ctx.vary('Origin');
    const granted = any ? '*' : config.CORS_ORIGINS.find((known) => known === origin);
    if (granted !== undefined) {
      ctx.set('Access-Control-Allow-Origin', granted);
      ctx.set('Access-Control-Expose-Headers', exposed);
    }
    if (ctx.method !== 'OPTIONS') return next();
    ctx.set('Access-Control-Allow-Methods', methodsOf(ctx.path));
    ctx.set('Access-Control-Allow-Headers', allowed);
    ctx.set('Access-Control-Max-Age', '600');
    ctx.status = 204;
    return undefined;
  };
};
