/** The signed subscription endpoint (M-4.8) and the webhooks of payment gateways (M-6). */
import type { Context as KoaContext, Middleware } from 'koa';
import { signedPath } from '../define-action.ts';
import { webhookPath } from '../webhooks/webhooks.ts';
import type { Webhook } from '../webhooks/webhooks.ts';
import { createDispatcher } from '../dispatch.ts';
import { commonError } from '../errors.ts';
import { firstValues } from '../pages/form.ts';
import type { RouteParts } from './calls.ts';
import { maxBodyBytesOf } from '../stages/limits.ts';
import { byAction, byPath } from '../stages/resolve.ts';
import { createBodyReader, rawBodyReader } from './body.ts';
import { answered, sendAnswer } from './calls.ts';

const signed = (parts: RouteParts) => {
  const { context, services, registries, metrics } = parts;
  const dispatch = createDispatcher(context, services, registries.actions, byAction);
  const readerOf = createBodyReader(registries.actions, { formsAllowed: false, naming: byAction });
  return async (ctx: KoaContext) => {
    if (ctx.method !== 'GET' && ctx.method !== 'POST')
      throw commonError('METHOD_NOT_ALLOWED', {
        message: 'Only GET and POST are allowed here.',
        headers: { Allow: 'GET, POST, OPTIONS' },
      });
    const body = ctx.method === 'GET' ? {} : readerOf(ctx);
    const parameters = firstValues(ctx.query);
    const { method } = ctx;
    sendAnswer(ctx, await answered({ metrics, dispatch }, ctx, { method, parameters, body }));
  };
};

/** Webhooks by path: under the provider's code, under the gateway's kind, and under configured legacy paths. */
const pathsOf = ({ context, registries }: RouteParts): Map<string, string> => {
  const paths = new Map<string, string>();
  for (const operation of registries.webhooks.operations) {
    const { webhook } = operation as unknown as Webhook;
    paths.set(webhookPath(webhook), operation.name);
    paths.set(`/api/webhooks/${webhook.gateway}/${webhook.event}`, operation.name);
  }
  for (const [path, target] of context.config.WEBHOOK_LEGACY_PATHS) {
    const name = paths.get(`/api/webhooks/${target}`);
    if (name === undefined)
      throw new Error(
        `WEBHOOK_LEGACY_PATHS: there is no webhook ${target} (${[...paths.keys()].join(', ')})`,
      );
    paths.set(path, name);
  }
  return paths;
};

const receive = (parts: RouteParts) => {
  const { context, services, registries, metrics } = parts;
  const dispatch = createDispatcher(context, services, registries.webhooks, byPath);
  const maxBytes = maxBodyBytesOf(registries.webhooks);
  return async (ctx: KoaContext, webhook: string) => {
    // Gateway control panels probe an address before they accept it.
    if (ctx.method === 'GET' || ctx.method === 'HEAD') {
      ctx.body = 'ready';
      return;
    }
    if (ctx.method !== 'POST')
      throw commonError('METHOD_NOT_ALLOWED', { headers: { Allow: 'GET, HEAD, POST' } });
    const body = rawBodyReader(ctx, maxBytes);
    const call = { method: ctx.method, parameters: { webhook }, body };
    const { body: answer, status } = await answered({ metrics, dispatch }, ctx, call);
    if (status !== 200) {
      ctx.body = answer;
      return;
    }
    ctx.type = String(answer['contentType']);
    ctx.body = String(answer['text']);
  };
};

export const subscriptionRoutes = (parts: RouteParts): Middleware => {
  const sign = signed(parts);
  const webhook = receive(parts);
  const paths = pathsOf(parts);
  return (ctx, next) => {
    if (ctx.path === signedPath) return sign(ctx);
    const name = paths.get(ctx.path);
    return name === undefined ? next() : webhook(ctx, name);
  };
};
