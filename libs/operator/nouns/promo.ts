import { productRepo } from '#store/postgres/subscriptions/products.ts';
import { promoCodeRepo, promoCodeWrites } from '#store/postgres/subscriptions/products.ts';
import { flagSwitch, integer, maybeInteger, maybeText, maybeTime, row, text } from '../flags.ts';
import { change, found, view } from '../verb.ts';
import type { Noun } from '../verb.ts';

export const promo: Noun = {
  name: 'promo',
  title: 'Promo codes',
  summary: 'Promo codes.',
  kind: 'promo code',
  verbs: {
    list: view({
      summary: 'Lists all codes.',
      flags: {},
      run: async ({ db }) => ({
        data: { promos: await promoCodeRepo(db).list() },
        offers: ({ isActive }) => (isActive === true ? ['disable'] : []),
      }),
    }),
    create: change({
      summary: 'Creates a code. The card gateway needs a coupon with the same code.',
      flags: {
        code: text('Code, for example WELCOME; upper and lower case are the same.'),
        percent: integer('Discount in percent.', 1, 100),
        product: maybeText('Code of the only product it applies to; default: all.'),
        recurring: flagSwitch('Renewals have the discount, too.'),
        maxCycles: maybeInteger('Number of payments with the discount; default: unlimited.'),
        expires: maybeTime('End of its validity.'),
      },
      run: async ({ tx, trail, now }, { code, percent, product, recurring, maxCycles, expires }) => {
        if (product !== undefined)
          found(await productRepo(tx).byCode(product), `There is no product ${product}.`);
        const terms = {
          code,
          percent,
          productCode: product ?? null,
          isRecurring: recurring,
          maxCycles: maxCycles ?? null,
          expiresAt: expires ?? null,
          isActive: true,
        };
        await promoCodeWrites(tx).create(terms, now);
        trail.created('promo code', code.toUpperCase());
        return { data: { promo: await promoCodeRepo(tx).byCode(code) } };
      },
    }),
    disable: change({
      summary: 'Disables a code.',
      flags: { code: row('promo code', text('Code.'), (_db, code) => code.toUpperCase()) },
      run: ({ tx }, { code }) => promoCodeWrites(tx).setActive(code, false),
    }),
  },
};
