import { z } from 'zod';
import { idField, requiredTextField } from '#domain/fields/index.ts';
import { defineQuery } from '../../define.ts';
import {
  alsoIfActiveField,
  assertNotSubscribed,
  checkoutErrors,
  checkoutOf,
  checkoutSchema,
  inputErrors,
  ownOf,
  promoFor,
  soldProduct,
  subscriptionNotFound,
} from './common/subscriptions.ts';

export default defineQuery({
  name: 'applyDiscountCode',
  spec: ['4.8'],
  summary: "A checkout link with a promo code's discount, for a product or a subscription's product.",
  devKey: { subscription: 'FULL' },
  limits: [{ name: 'discountCode', points: 30, perSeconds: 3_600, by: 'user' }],
  errors: { ...inputErrors, ...checkoutErrors, SUBSCRIPTION_NOT_FOUND: subscriptionNotFound },
  input: z.strictObject({
    subscriptionId: idField().optional(),
    productCode: requiredTextField(100).optional(),
    code: requiredTextField(100),
    alsoIfActive: alsoIfActiveField(),
  }),
  output: checkoutSchema.extend({ discountPercent: z.int() }),
  example: { productCode: 'EFB_PRO_M', code: 'WELCOME' },
  handler: async (ctx) => {
    const { subscriptionId, productCode, code, alsoIfActive } = ctx.input;
    const found = subscriptionId === undefined ? null : await ownOf(ctx, subscriptionId);
    const wanted = productCode ?? found?.product.code;
    if (wanted === undefined) throw ctx.fail('MISSING_FIELD', { field: 'productCode' });
    const product = await soldProduct(ctx.db, wanted);
    await assertNotSubscribed(ctx, product, alsoIfActive);
    const promo = await promoFor(ctx, code, product);
    return { ...checkoutOf(ctx, product, promo.code), discountPercent: promo.percent };
  },
});
