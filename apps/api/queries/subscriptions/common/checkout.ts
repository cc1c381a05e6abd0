/** Links that buy a product at the card gateway. */
import { z } from 'zod';
import { chargedOf } from '#commands/subscriptions/stop-renewals.ts';
import { DomainError } from '#domain/errors.ts';
import { isUsable } from '#domain/subscriptions/promo.ts';
import type { PromoCode } from '#domain/subscriptions/promo.ts';
import type { SoldProduct } from '#domain/subscriptions/record.ts';
import { addSeconds, wireTime } from '#domain/time.ts';
import type { Caller } from '#domain/users/types.ts';
import { promoCodeRepo } from '#data/postgres/subscriptions/promo-codes.ts';
import { productRepo } from '#data/postgres/subscriptions/products.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import type { Tools } from '../../../handler-context.ts';

export const checkoutErrors = {
  PRODUCT_NOT_FOUND: { status: 404, message: 'There is no such product.' },
  ALREADY_SUBSCRIBED: {
    status: 409,
    message:
      'You have this plan, and it renews by itself. Send alsoIfActive: true to pay for it a second time.',
    extra: z.strictObject({ subscriptionId: z.int() }),
  },
  INVALID_PROMO_CODE: { status: 400, message: 'This code does not exist or does not apply to the product.' },
} as const;

export interface CheckoutCall extends Pick<Tools, 'gateways'> {
  db: ReadDb;
  now: Date;
  caller: Caller;
}

export const checkoutSchema = z.strictObject({ checkoutUrl: z.url(), expiresAt: z.string() });

const linkSeconds = 3_600;

/** Throws INVALID_PROMO_CODE for a code that does not apply to the product. */
export const promoFor = async (
  { db, now }: Pick<CheckoutCall, 'db' | 'now'>,
  code: string,
  product: SoldProduct,
): Promise<PromoCode> => {
  const promo = await promoCodeRepo(db).byCode(code);
  if (!promo || !isUsable(promo, product.code, now)) throw new DomainError('INVALID_PROMO_CODE');
  return promo;
};

/** Throws PRODUCT_NOT_FOUND for what cannot be bought. */
export const soldProduct = async (db: ReadDb, code: string): Promise<SoldProduct> => {
  const product = await productRepo(db).byCode(code);
  if (!product?.isActive || product.priceMinor <= 0) throw new DomainError('PRODUCT_NOT_FOUND');
  return product;
};

export const alsoIfActiveField = () =>
  z
    .boolean('INVALID_FIELD')
    .default(false)
    .describe('also for a plan that the user has and that renews by itself');

/** Throws ALREADY_SUBSCRIBED for what the user is charged for anyway, unless that is wanted. */
export const assertNotSubscribed = async (
  { db, caller }: Pick<CheckoutCall, 'db' | 'caller'>,
  { code }: SoldProduct,
  alsoIfActive: boolean,
): Promise<void> => {
  const same = (await chargedOf(db, caller.userId)).find(({ product }) => product.code === code);
  if (same && !alsoIfActive) throw new DomainError('ALREADY_SUBSCRIBED', { subscriptionId: same.id });
};

/** Throws `GatewayError` when the card gateway is not configured. */
export const checkoutOf = (
  { gateways, now, caller }: CheckoutCall,
  product: SoldProduct,
  promoCode: string | undefined,
): z.input<typeof checkoutSchema> => {
  const expires = addSeconds(now, linkSeconds);
  const checkoutUrl = gateways.card.checkoutUrl({
    productCode: product.code,
    promoCode,
    currency: product.currency,
    userId: caller.userId,
    email: caller.email,
    expiresAt: expires,
  });
  return { checkoutUrl, expiresAt: wireTime(expires) };
};
