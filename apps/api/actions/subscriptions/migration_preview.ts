import { z } from 'zod';
import { idField } from '#domain/fields/index.ts';
import { migrationTargets, migrationTerms } from '#domain/subscriptions/migration.ts';
import { toMajor } from '#domain/subscriptions/money.ts';
import { productRepo } from '#store/postgres/subscriptions/products.ts';
import { defineAction } from '../../define-action.ts';
import {
  inputErrors,
  ownOf,
  subscriptionNotFound,
} from '../../queries/subscriptions/common/subscriptions.ts';

export default defineAction({
  name: 'migration_preview',
  spec: ['4.8'],
  summary: 'Whether a subscription can migrate from the wallet to the card gateway, and with how many days.',
  changesState: false,
  errors: { ...inputErrors, SUBSCRIPTION_NOT_FOUND: subscriptionNotFound },
  input: z.strictObject({ subscription_id: idField() }),
  output: z.strictObject({
    eligible: z.boolean(),
    reason: z.string().nullable(),
    remaining_days: z.int(),
    bonus_days: z.int(),
    target_products: z.array(
      z.strictObject({
        pcode: z.string(),
        title: z.string(),
        price: z.number(),
        currency: z.string(),
        remaining_days: z.int(),
        bonus_days: z.int(),
      }),
    ),
  }),
  handler: async (ctx) => {
    const found = await ownOf(ctx, ctx.input.subscription_id);
    const { eligible, reason, remainingDays } = migrationTerms(found, ctx.now);
    const targets = eligible ? migrationTargets(found, await productRepo(ctx.db).list(), ctx.now) : [];
    return {
      eligible,
      reason,
      remaining_days: remainingDays,
      bonus_days: eligible ? found.product.migrationBonusDays : 0,
      target_products: targets.map(({ product, remainingDays: days, bonusDays }) => ({
        pcode: product.code,
        title: product.title,
        price: toMajor(product.priceMinor, product.currency),
        currency: product.currency,
        remaining_days: days,
        bonus_days: bonusDays,
      })),
    };
  },
});
