import { Router } from '@koa/router';
import type { Middleware } from 'koa';
import type { Context } from '#data/context.ts';
import type { Services } from '../services/services.ts';
import { accountPages } from './account.ts';
import { confirmEmailPage } from './confirm-email.ts';
import { devicePage } from './device.ts';
import { firstValues, readForm } from './form.ts';
import { serveDocument } from './library.ts';
import { send } from './page.ts';
import { serveLogo } from './logos.ts';
import { serveProductImage } from './product-images.ts';
import { servePicture } from './pictures.ts';
import { resetPasswordPage } from './reset-password.ts';
import { sharePage } from './share.ts';

const formPages = [
  resetPasswordPage,
  accountPages.register,
  accountPages.reset,
  confirmEmailPage,
  devicePage,
  sharePage,
];

/** Routes of the web pages: accounts, mailed links, devices, shares, pictures, logos and library documents. */
export const webRoutes = (parts: { context: Context; services: Services }): Middleware => {
  const router = new Router();
  for (const { path, render, submit } of formPages) {
    router.get(path, async (ctx) => send(ctx, await render(parts.context, firstValues(ctx.query))));
    if (submit) router.post(path, async (ctx) => send(ctx, await submit(parts, await readForm(ctx), ctx.ip)));
  }
  router.get('/pictures/:name', (ctx) => servePicture(parts.context, ctx, ctx.params['name'] ?? ''));
  router.get('/products/:name', (ctx) => serveProductImage(parts.context, ctx, ctx.params['name'] ?? ''));
  router.get('/logos/:id', (ctx) => serveLogo(parts.context, ctx, ctx.params['id'] ?? ''));
  const document = serveDocument(parts);
  router.get('/library/:id', (ctx) => document(ctx, ctx.params['id'] ?? ''));
  return router.routes() as Middleware;
};
