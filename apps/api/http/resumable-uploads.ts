/**
 * `PATCH` and `HEAD /api/uploads/<id>`: the bytes of an upload begun with `libraryUploadBegin`, by the tus protocol
 * 1.0.0. Owner and remaining size are known before the first byte is read.
 */
import type { Server } from '@tus/server';
import type { Middleware } from 'koa';
import { resumableUploadRepo } from '#store/postgres/library/resumable-uploads.ts';
import { commonError } from '../errors.ts';
import { newCall } from '../call.ts';
import { toolsOf } from '../dispatch.ts';
import type { RouteParts } from './calls.ts';
import { callerNow, identify } from '../stages/authenticate.ts';
import { countAddress, countBytes, countGeneral } from '../stages/limits.ts';
import { isResumable } from './headers.ts';

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const path = '/api/uploads';

/** Loaded at the first upload. */
const tusServer = ({ services, context }: RouteParts): (() => Promise<Server>) => {
  const { CORS_ORIGINS: origins } = context.config;
  let opened: Promise<Server> | undefined;
  const open = async (): Promise<Server> => {
    const { Server: Tus } = await import('@tus/server');
    return new Tus({
      path,
      datastore: await services.pieces.store(),
      allowedOrigins: (origin) => origins.includes('*') || origins.includes(origin),
      onResponseError: (_, error) => {
        if (!('status_code' in error)) context.log.error({ err: error }, 'a piece of an upload failed');
        return undefined;
      },
    });
  };
  return () => {
    opened ??= open();
    opened.catch(() => (opened = undefined));
    return opened;
  };
};

export const resumableUploads = (parts: RouteParts): Middleware => {
  const { context, services, registries } = parts;
  const server = tusServer(parts);
  const given = { tools: toolsOf(context, services), single: context.postgres.single };
  return async (ctx, next) => {
    if (!isResumable(ctx.path)) return next();
    const requestId = ctx.state['requestId'] as string;
    const call = newCall({ headers: ctx.headers, ip: ctx.ip, requestId, body: {} }, given);
    await countAddress(call);
    if (ctx.method !== 'PATCH' && ctx.method !== 'HEAD')
      throw commonError('METHOD_NOT_ALLOWED', {
        message: 'This path supports PATCH and HEAD only.',
        headers: { Allow: 'HEAD, PATCH, OPTIONS' },
      });
    call.operation = registries.queries.find('libraryUploadBegin') ?? null;
    await identify(call);
    await countGeneral(call);
    const caller = await callerNow(call);
    if (!caller) throw commonError('AUTH_REQUIRED');
    const id = ctx.path.slice(path.length + 1);
    const upload = idForm.test(id)
      ? await resumableUploadRepo(context.postgres.db).find(id, caller.userId)
      : null;
    if (!upload) throw commonError('NOT_FOUND');
    // Without Content-Length, assume all missing bytes.
    const announced = Math.min(Number(ctx.get('Content-Length') || upload.bytes), upload.bytes);
    if (ctx.method === 'PATCH') await countBytes(call, announced);
    const leave =
      ctx.method === 'PATCH' ? await services.uploads.enter(caller.userId, announced) : () => undefined;
    try {
      await callerNow(call);
      // Declared at creation; tus accepts the header here only for a deferred length.
      delete ctx.req.headers['upload-length'];
      ctx.respond = false;
      await (await server()).handle(ctx.req, ctx.res);
    } finally {
      leave();
    }
    return undefined;
  };
};
