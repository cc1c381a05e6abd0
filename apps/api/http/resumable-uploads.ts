/**
 * `PATCH` and `HEAD /api/uploads/<id>`: the bytes of an upload that `libraryUploadBegin` has begun, by the tus protocol 1.0.0. Whose it
 * is and how much may be sent are known before the first byte is read.
 */
import type { Server } from '@tus/server';
import type { Middleware } from 'koa';
import { resumableUploadRepo } from '#data/postgres/library/resumable-uploads.ts';
import { commonError } from '../errors.ts';
import { addressLimit, generalLimit, userBytesLimit } from '../limits.ts';
import type { RouteParts } from '../routes.ts';
import { networkOf } from '../services/rate-limiter.ts';
import { bearerOf } from '../stages/authenticate.ts';
import { isResumable } from './headers.ts';

const idForm = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const path = '/api/uploads';

/** Loaded with the first upload. */
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
  const { context, services } = parts;
  const { rateLimiter, tokens, identities, uploads } = services;
  const server = tusServer(parts);
  return async (ctx, next) => {
    if (!isResumable(ctx.path)) return next();
    await rateLimiter.take(addressLimit, `ip:${networkOf(ctx.ip)}`);
    if (ctx.method !== 'PATCH' && ctx.method !== 'HEAD')
      throw commonError('METHOD_NOT_ALLOWED', {
        message: 'This path supports PATCH and HEAD only.',
        headers: { Allow: 'HEAD, PATCH, OPTIONS' },
      });
    const token = bearerOf(ctx.get('Authorization'));
    const claims = token === undefined ? null : (await tokens.verify(token)).claims;
    const { caller, tokenKey } = await identities.of({ claims, key: null });
    if (!caller || (claims?.developerKeyId && !tokenKey)) throw commonError('AUTH_REQUIRED');
    if (caller.isDisabled) throw commonError('ACCOUNT_DISABLED');
    const user = `user:${caller.userId}`;
    await rateLimiter.take(generalLimit, `key:- ${user}`);
    const id = ctx.path.slice(path.length + 1);
    const upload = idForm.test(id)
      ? await resumableUploadRepo(context.postgres.db).find(id, caller.userId)
      : null;
    if (!upload) throw commonError('NOT_FOUND');
    // Without a length it may send what is missing.
    const announced = Number(ctx.get('Content-Length') || upload.bytes);
    if (ctx.method === 'PATCH')
      await rateLimiter.take(userBytesLimit, user, Math.min(announced, upload.bytes));
    const leave = ctx.method === 'PATCH' ? await uploads.enter(caller.userId) : () => undefined;
    try {
      ctx.respond = false;
      await (await server()).handle(ctx.req, ctx.res);
    } finally {
      leave();
    }
    return undefined;
  };
};
