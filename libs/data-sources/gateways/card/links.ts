/** Signed links to the checkout of the card gateway. */
import type { CheckoutRequest } from '#domain/subscriptions/gateway.ts';
import type { CardSettings } from './settings.ts';
import { hmacOf, signedText } from './signature.ts';

/** Signed over the values in the order of their names; the merchant is not signed. */
export const linkSignature = (secret: string, parameters: Readonly<Record<string, string>>): string =>
  hmacOf(
    'sha256',
    secret,
    signedText(
      Object.entries(parameters)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, value]) => value),
    ),
  );

/** A link that buys one product for one account, until it expires. */
export const checkoutLink = (
  { merchantCode, buyLinkSecret, checkoutUrl }: CardSettings,
  { productCode, promoCode, currency, userId, externalReference, renews, expiresAt }: CheckoutRequest,
): string => {
  const external = externalReference ?? (renews === undefined ? undefined : `renew-${renews}`);
  const signed = {
    currency,
    'customer-ext-ref': String(userId),
    expiration: String(Math.floor(expiresAt.getTime() / 1_000)),
    prod: productCode,
    qty: '1',
    ...(promoCode === undefined ? {} : { coupon: promoCode }),
    ...(external === undefined ? {} : { 'order-ext-ref': external }),
  };
  const url = new URL(checkoutUrl);
  url.searchParams.set('merchant', merchantCode);
  for (const [name, value] of Object.entries(signed)) url.searchParams.set(name, value);
  url.searchParams.set('signature', linkSignature(buyLinkSecret, signed));
  return url.toString();
};
