import type { Router } from '@koa/router';
import type { Context as KoaContext } from 'koa';
import type { Context } from '#data/context.ts';
import { productRepo } from '#store/postgres/subscriptions/products.ts';
import { commonError } from '../errors.ts';
import { accountPages } from './account.ts';
import { confirmEmailPage } from './confirm-email.ts';
import { devicePage } from './device.ts';
import { firstValues, readForm } from './form.ts';
import { html } from './html.ts';
import { serveDocument } from './library.ts';
import { answered, send } from './page.ts';
import type { PageParts } from './page.ts';
import { serveLogo, servePicture } from './pictures.ts';
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

const colours = ['#64748b', '#0284c7', '#7c3aed', '#b45309'] as const;

/** The image of a product, drawn from its title and level: `/products/EFB_PRO_M.svg`. */
const serveProductImage = async (
  { postgres }: Pick<Context, 'postgres'>,
  ctx: KoaContext,
  name: string,
): Promise<void> => {
  const code = /^([\w-]{1,100})\.svg$/.exec(name)?.[1];
  const product = code === undefined ? null : await productRepo(postgres.db).byCode(code);
  if (!product) throw commonError('NOT_FOUND');
  const colour = colours[Math.min(product.level, colours.length - 1)];
  ctx.type = 'image/svg+xml';
  ctx.set('Cache-Control', 'public, max-age=3600');
  ctx.body =
    html`<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180" viewBox="0 0 320 180"><rect width="320" height="180" rx="16" fill="${colour}"/><text x="160" y="100" fill="#fff" font-family="sans-serif" font-size="28" text-anchor="middle">${product.title}</text></svg>`.text;
};

/** Routes of the web pages: accounts, mailed links, devices, shares, pictures, logos and library documents. */
export const webRoutes = (router: Router, parts: PageParts): void => {
  for (const each of formPages) {
    const { path, render, submit } = each;
    router.get(path, async (ctx) => {
      const fields = firstValues(ctx.query);
      send(ctx, await answered(each, fields, () => render(parts.context, fields)));
    });
    if (submit)
      router.post(path, async (ctx) => {
        const fields = await readForm(ctx);
        send(ctx, await answered(each, fields, () => submit(parts, fields, ctx.ip)));
      });
  }
  router.get('/pictures/:name', (ctx) => servePicture(parts.context, ctx, ctx.params['name'] ?? ''));
  router.get('/products/:name', (ctx) => serveProductImage(parts.context, ctx, ctx.params['name'] ?? ''));
  router.get('/logos/:id', (ctx) => serveLogo(parts.context, ctx, ctx.params['id'] ?? ''));
  const document = serveDocument(parts);
  router.get('/library/:id', (ctx) => document(ctx, ctx.params['id'] ?? ''));
};
