import type { Context as KoaContext } from 'koa';
import type { Context } from '#data/context.ts';
import { productRepo } from '#store/postgres/subscriptions/products.ts';
import { commonError } from '../errors.ts';
import { html } from './html.ts';

const colours = ['#64748b', '#0284c7', '#7c3aed', '#b45309'] as const;

/** The image of a product, drawn from its title and level: `/products/EFB_PRO_M.svg`. */
export const serveProductImage = async (
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
