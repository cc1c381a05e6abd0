import { z } from 'zod';
import { promoCodeRepo, promoCodeWrites } from '#data/postgres/subscriptions/promo-codes.ts';
import { productRepo } from '#data/postgres/subscriptions/products.ts';
import { OpsError, verb } from '../command.ts';
import type { Noun } from '../command.ts';
import { flagSwitch, maybeInteger, maybeText, text } from '#operator/flags.ts';

export const promo: Noun = {
  name: 'promo',
  summary: 'Promo codes.',
  verbs: {
    list: verb({
      summary: 'Lists all codes.',
      flags: {},
      run: async ({ postgres: { db } }) => {
        const promos = await promoCodeRepo(db).list();
        return { data: { promos }, table: promos.map((row) => ({ ...row })) };
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
        expires: {
          schema: z.iso
            .datetime({ offset: true, error: 'must be a UTC time such as 2026-12-31T23:59:59Z' })
            .pipe(z.coerce.date())
            .optional(),
          text: 'End of its validity.',
        },
      },
      run: async ({ change, clock }, values) => {
        const { code, percent, product, recurring, expires } = values;
        const created = await change(async (tx, trail) => {
          if (product !== undefined && !(await productRepo(tx).byCode(product)))
            throw new OpsError('NOT_FOUND', `There is no product ${product}.`);
          const terms = {
            code,
            percent,
            productCode: product ?? null,
            isRecurring: recurring,
            maxCycles: values['max-cycles'] ?? null,
            expiresAt: expires ?? null,
            isActive: true,
          };
          await promoCodeWrites(tx).create(terms, clock.now());
          trail.created('promo code', code.toUpperCase());
          return promoCodeRepo(tx).byCode(code);
        });
        return { data: { promo: created }, table: created ? [{ ...created }] : [] };
      },
    }),
    disable: verb({
      summary: 'Disables a code.',
      flags: { code: text('Code.') },
      run: async ({ change }, { code }) => {
        await change(async (tx, trail) => {
          await trail.changing('promo code', code.toUpperCase());
          if ((await promoCodeWrites(tx).setActive(code, false)) === 0)
            throw new OpsError('NOT_FOUND', `There is no promo code ${code}.`);
        });
        return { data: { code, isActive: false } };
      },
    }),
  },
};
