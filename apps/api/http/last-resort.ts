import type { Middleware } from 'koa';
import type { Context } from '#data/context.ts';
import { renderFailure } from '../dialects.ts';
import { ApiError, commonError } from '../errors.ts';
import { V2Error, sendProblem } from '../v2/errors.ts';
import { isV2 } from './headers.ts';

/** What no operation answered: plain HTTP where HTTPS is required, unknown paths, and faults of the front. */
export const lastResort =
  (context: Context): Middleware =>
  async (ctx, next) => {
    const fail = (error: ApiError) => {
      const { status, body } = renderFailure('flat', error);
      ctx.status = status;
      ctx.set({ ...error.headers, 'Cache-Control': 'no-store' });
      ctx.body = body;
    };
    try {
      if (context.config.REQUIRE_HTTPS && ctx.protocol !== 'https' && ctx.path !== '/healthz') {
        if (isV2(ctx.path)) sendProblem(ctx, new V2Error('https_required'));
        else fail(commonError('HTTPS_REQUIRED'));
        return;
      }
      await next();
      if (ctx.status === 404 && !ctx.body) fail(commonError('NOT_FOUND'));
      // The router gives a known path's other methods a status and `Allow`, but no body.
      if ((ctx.status === 405 || ctx.status === 501) && !ctx.body) {
        const message = `This path answers to ${ctx.response.get('Allow')} only.`;
        fail(commonError('METHOD_NOT_ALLOWED', { message }));
      }
    } catch (error) {
      if (error instanceof ApiError) {
        fail(error);
        return;
      }
      context.log.error({ err: error, path: ctx.path }, 'request failed');
      fail(commonError('INTERNAL_ERROR'));
    }
  };
