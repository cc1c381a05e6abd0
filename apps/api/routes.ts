import type { Router } from '@koa/router';
import type { Context as KoaContext, Middleware } from 'koa';
import type { Context } from '#data/context.ts';
import { serviceReadiness } from '#data/readiness.ts';
import type { Readiness } from '#data/readiness.ts';
import { referenceDocuments } from './reference/openapi.ts';
import { commonError } from './errors.ts';
import { createBodyReader } from './http/body.ts';
import { removeUploads } from './http/form.ts';
import { answered, clientAbortOf, sendAnswer } from './http/calls.ts';
import type { RouteParts } from './http/calls.ts';
import { createDocument, sendDocument } from './http/documents.ts';
import { getQuery } from './http/get-query.ts';
import type { Document } from './http/documents.ts';
import { serveGraphic } from './pages/graphics.ts';
import { servePrint } from './pages/prints.ts';

/** `/api`: dispatches the call, which reads the body once allowed, and sends the answer. */
const api = (parts: RouteParts) => {
  const readerOf = createBodyReader(parts.registries.queries);
  return async (ctx: KoaContext) => {
    try {
      const response = await answered(parts, ctx, {
        clientAborted: () => clientAbortOf(ctx.res),
        body: readerOf(ctx),
      });
      sendAnswer(ctx, response);
    } finally {
      await removeUploads(ctx);
    }
  };
};

/** Nearly all requests use this path, so it skips the router. */
export const apiRoute = (parts: RouteParts): Middleware => {
  const query = api(parts);
  return (ctx, next) => (ctx.path === '/api' ? query(ctx) : next());
};

/** Shorter than the limit of health checks, so that they receive the reason. */
const limitMs = 1_500;

/**
 * Ready: not stopping, the database is usable, and the file storage belongs to it. Liveness does not check this (G-39).
 */
const readiness = async (context: Context, isStopping: boolean): Promise<Readiness> => {
  if (isStopping) return { ready: false, checks: { process: 'stopping' } };
  const state = await serviceReadiness(context, limitMs);
  if (!state.ready) context.log.warn({ checks: state.checks }, 'not ready');
  return state;
};

/** The other paths of the main interface. */
export const otherRoutes = (router: Router, parts: RouteParts): void => {
  const { context, registries } = parts;
  const reference = referenceDocuments(registries, context.config.BASE_URL);
  const made = new Map<() => string, Document>();
  const sendJson = (ctx: KoaContext, make: () => string) => {
    const document = made.get(make) ?? createDocument('application/json', make());
    made.set(make, document);
    return sendDocument(ctx, document, 'no-cache');
  };

  router.get('/api/openapi.json', (ctx) => sendJson(ctx, reference.document));
  router.get('/api/schemas', (ctx) => sendJson(ctx, reference.index));
  router.get('/api/schemas/:name.json', (ctx) => {
    const schema = reference.schemas.get(ctx.params['name'] ?? '');
    if (schema === undefined) throw commonError('NOT_FOUND');
    return sendJson(ctx, schema);
  });
  const read = getQuery(parts);
  router.get('/api/get/:name', (ctx) => read(ctx, ctx.params['name'] ?? ''));
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async (ctx) => {
    const state = await readiness(context, parts.isStopping());
    ctx.status = state.ready ? 200 : 503;
    if (!state.ready) ctx.set('Retry-After', '2');
    ctx.body = state;
  });
  const graphic = serveGraphic(context);
  router.get('/graphics/:id/:name.:format', (ctx) =>
    graphic(ctx, ctx.params['id'] ?? '', ctx.params['name'] ?? '', ctx.params['format'] ?? ''),
  );
  const print = servePrint(context);
  router.get('/prints/:id/:file', (ctx) => print(ctx, ctx.params['id'] ?? '', ctx.params['file'] ?? ''));
};
