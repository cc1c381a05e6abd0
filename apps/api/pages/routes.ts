import { Router } from '@koa/router';
import type { Context as KoaContext, Middleware } from 'koa';
import type { Context } from '#data/context.ts';
import type { Services } from '../services/services.ts';
import { accountPages } from './account.ts';
import { confirmEmailPage } from './confirm-email.ts';
import { devicePage } from './device.ts';
import { firstValues, readForm } from './form.ts';
import { serveDocument } from './library.ts';
import type { PageAnswer } from './page.ts';
import { serveLogo } from './logos.ts';
import { serveProductImage } from './product-images.ts';
import { servePicture } from './pictures.ts';
import { resetPasswordPage } from './reset-password.ts';
import { sharePage } from './share.ts';

const send = (ctx: KoaContext, answer: PageAnswer): void => {
  ctx.status = answer.status;
  ctx.set(answer.headers);
  ctx.body = answer.body;
};

/** Web pages: accounts, the forms of mailed links, of a device and of a share, pictures, logos of airlines, documents of the library. */
export const webRoutes = (parts: { context: Context; services: Services }): Middleware => {
  const router = new Router();
  router.get(resetPasswordPage.path, async (ctx) =>
    send(ctx, await resetPasswordPage.render(parts.context, firstValues(ctx.query))),
  );
  router.post(resetPasswordPage.path, async (ctx) =>
    send(ctx, await resetPasswordPage.submit(parts, await readForm(ctx), ctx.ip)),
  );
  const { register, reset } = accountPages;
  router.get(register.path, (ctx) => send(ctx, register.render(parts.context)));
  router.post(register.path, async (ctx) =>
    send(ctx, await register.submit(parts, await readForm(ctx), ctx.ip)),
  );
  router.get(reset.path, (ctx) => send(ctx, reset.render()));
  router.post(reset.path, async (ctx) => send(ctx, await reset.submit(parts, await readForm(ctx), ctx.ip)));
  router.get(confirmEmailPage.path, async (ctx) =>
    send(ctx, await confirmEmailPage.render(parts.context, firstValues(ctx.query))),
  );
  router.post(confirmEmailPage.path, async (ctx) =>
    send(ctx, await confirmEmailPage.submit(parts, await readForm(ctx), ctx.ip)),
  );
  router.get(devicePage.path, (ctx) => send(ctx, devicePage.render(firstValues(ctx.query))));
  router.post(devicePage.path, async (ctx) =>
    send(ctx, await devicePage.submit(parts, await readForm(ctx), ctx.ip)),
  );
  router.get(sharePage.path, async (ctx) =>
    send(ctx, await sharePage.render(parts.context, firstValues(ctx.query))),
  );
  router.get('/pictures/:name', (ctx) => servePicture(parts.context, ctx, ctx.params['name'] ?? ''));
  router.get('/products/:name', (ctx) => serveProductImage(parts.context, ctx, ctx.params['name'] ?? ''));
  router.get('/logos/:id', (ctx) => serveLogo(parts.context, ctx, ctx.params['id'] ?? ''));
  const document = serveDocument(parts);
  router.get('/library/:id', (ctx) => document(ctx, ctx.params['id'] ?? ''));
  return router.routes() as Middleware;
};
