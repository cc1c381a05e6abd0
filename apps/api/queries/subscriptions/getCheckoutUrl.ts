import { z } from 'zod';
import { requiredTextField } from '#domain/fields/index.ts';
import { defineQuery } from '../../define.ts';
import {
  alsoIfActiveField,
  assertNotSubscribed,
  checkoutErrors,
  checkoutOf,
  checkoutSchema,
  inputErrors,
  promoFor,
  soldProduct,
} from './common/subscriptions.ts';

export default defineQuery({
  name: 'getCheckoutUrl',
  spec: ['4.8'],
  summary: 'A new checkout link for a product, with a promo code if there is one; valid for an hour.',
  devKey: { subscription: 'FULL' },
  errors: { ...inputErrors, ...checkoutErrors },
  input: z.strictObject({
    productCode: requiredTextField(100),
    promoCode: requiredTextField(100).optional(),
    alsoIfActive: alsoIfActiveField(),
  }),
  output: checkoutSchema,
  example: { productCode: 'EFB_PRO_M' },
  handler: async (ctx) => {
    const { productCode, promoCode, alsoIfActive } = ctx.input;
    const product = await soldProduct(ctx.db, productCode);
    await assertNotSubscribed(ctx, product, alsoIfActive);
    const promo = promoCode === undefined ? null : await promoFor(ctx, promoCode, product);
    return checkoutOf(ctx, product, promo?.code);
  },
});
