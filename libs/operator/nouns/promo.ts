import { z } from 'zod';
import { promoCodeRepo, promoCodeWrites } from '#store/postgres/subscriptions/promo-codes.ts';
import { productRepo } from '#store/postgres/subscriptions/products.ts';
import { flagSwitch, maybeInteger, maybeText, maybeTime, row, text } from '../flags.ts';
import { creating, found, verb, view } from '../verb.ts';
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
      run: async ({ postgres: { db } }) => {
        const promos = await promoCodeRepo(db).list();
        return {
          data: { promos },
          actionsOf: ({ code, isActive }) => (isActive === true ? { disable: { code } } : {}),
        };
      },
    }),
    create: verb({
      summary: 'Creates a code. The card gateway needs a coupon with the same code.',
      flags: {
        code: text('Code, for example WELCOME; upper and lower case are the same.'),
        percent: {
          schema: z.coerce.number('must be a number').int().min(1).max(100),
          text: 'Discount in percent.',
        },
        product: maybeText('Code of the only product it applies to; default: all.'),
        recurring: flagSwitch('Renewals have the discount, too.'),
        'max-cycles': maybeInteger('Number of payments with the discount; default: unlimited.'),
        expires: maybeTime('End of its validity.'),
      },
      run: async (tools, { code, percent, product, recurring, expires, ...values }) => {
        const created = await creating(
          tools,
          'promo code',
          async (tx) => {
            if (product !== undefined)
              found(await productRepo(tx).byCode(product), `There is no product ${product}.`);
            const terms = {
              code,
              percent,
              productCode: product ?? null,
              isRecurring: recurring,
              maxCycles: values['max-cycles'] ?? null,
              expiresAt: expires ?? null,
              isActive: true,
            };
            await promoCodeWrites(tx).create(terms, tools.clock.now());
            return promoCodeRepo(tx).byCode(code);
          },
          () => code.toUpperCase(),
        );
        return { data: { promo: created } };
      },
    }),
    disable: verb({
      summary: 'Disables a code.',
      flags: { code: row('promo code', text('Code.'), (_db, code) => code.toUpperCase()) },
      run: async (tools, { code }) => {
        await tools.change(async (tx) =>
          found(await promoCodeWrites(tx).setActive(code, false), `There is no promo code ${code}.`),
        );
        return { data: { code, isActive: false } };
      },
    }),
  },
};
