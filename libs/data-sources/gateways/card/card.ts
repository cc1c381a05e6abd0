/** The card gateway: REST 6.0, JSON-RPC for what REST lacks, signed links, and notifications with receipts. */
import { z } from 'zod';
import { GatewayError } from '#domain/subscriptions/gateway.ts';
import type { CheckoutRequest, Gateway } from '#domain/subscriptions/gateway.ts';
import { amountText } from '#domain/subscriptions/money.ts';
import type { GatewayParts } from '../calls.ts';
import { changeAtCard } from './change.ts';
import { ipnReader } from './ipn.ts';
import { lcnReader } from './lcn.ts';
import { changedAtCard, readLive, readPayments } from './read.ts';
import { rest } from './rest.ts';
import type { CardSettings } from './settings.ts';
import { hmacOf, signedText } from './signature.ts';

/** Just long enough for a customer to follow the link. */
const signOnSeconds = 300;

const linkSchema = z.union([
  z.url(),
  z.object({ SingleSignOnUrl: z.url() }).transform((found) => found.SingleSignOnUrl),
  z.object({ URL: z.url() }).transform((found) => found.URL),
  z.object({ Url: z.url() }).transform((found) => found.Url),
]);

const refundSchema = z
  .object({
    RefundId: z.union([z.string(), z.number()]).transform(String).optional(),
    Status: z.string().optional(),
  })
  // The gateway has refunded, whatever it says of it.
  .catch({});

/** Signs the values sorted by parameter name, except the merchant. */
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

/** A link to buy one product for one account, until it expires. */
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

export const createCardGateway = (settings: CardSettings, { http, clock }: GatewayParts): Gateway => {
  const parts = { settings, http, clock };
  return {
    kind: 'card',
    isConfigured: true,
    messages: { ipn: ipnReader(settings), lcn: lcnReader(settings) },
    change: (change, options) => changeAtCard({ ...parts, change, options }),
    read: (reference, options) => readLive(parts, reference, options),
    payments: (reference, options) => readPayments(parts, reference, options),
    missed: async (since, options) => ({
      references: await changedAtCard(parts, since, options),
      messages: [],
    }),
    checkoutUrl: (request) => checkoutLink(settings, request),
    paymentMethodUrl: async (reference, email, options) => {
      const path = `/subscriptions/${encodeURIComponent(reference)}/signon/change_card/`;
      const query = { Email: email, LanguageCode: 'en', ValidityTime: String(signOnSeconds) };
      const link = await rest(parts, linkSchema.nullable().catch(null), { path, query }, options);
      if (link !== null) return link;
      throw new GatewayError('refused', 'The card gateway has no page for this subscription.');
    },
    refund: async ({ transactionId, amountMinor, currency, reason }, options) => {
      const path = `/orders/${encodeURIComponent(transactionId)}/refund/`;
      const body = { amount: amountText(amountMinor, currency), comment: reason, reason: 'Other' };
      const answer = await rest(parts, refundSchema, { method: 'POST', path, body }, options);
      if (answer === null) throw new GatewayError('refused', 'The card gateway does not know the order.');
      return { refundId: answer.RefundId ?? transactionId, status: answer.Status ?? 'PENDING' };
    },
  };
};
