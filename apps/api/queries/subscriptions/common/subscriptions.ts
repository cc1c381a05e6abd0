import { z } from 'zod';
import { chargedOf } from '#commands/subscriptions/by-operator.ts';
import { changeSubscription } from '#commands/subscriptions/change.ts';
import type { Change } from '#commands/subscriptions/change.ts';
import { DomainError } from '#domain/errors.ts';
import { subscriptionDetails } from '#domain/subscriptions/details.ts';
import type { DetailLinks, SubscriptionDetails } from '#domain/subscriptions/details.ts';
import type { GatewayStatus } from '#domain/subscriptions/entitlement.ts';
import { isUsable } from '#domain/subscriptions/plan.ts';
import type { PromoCode } from '#domain/subscriptions/plan.ts';
import type { SoldProduct, SubscriptionRecord } from '#domain/subscriptions/record.ts';
import { addSeconds, daySeconds, wireTime } from '#domain/time.ts';
import type { Caller } from '#domain/users/types.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import { productRepo } from '#store/postgres/subscriptions/products.ts';
import { promoCodeRepo } from '#store/postgres/subscriptions/products.ts';
import { subscriptionRecordRepo } from '#store/postgres/subscriptions/records.ts';
import type { RunTransaction, Tools } from '../../../handler-context.ts';

// Errors that operations on subscriptions share.

export const notSupported = {
  status: 422,
  message: 'The payment provider of this subscription does not offer this here. Use its own page.',
  /** The provider's page; null for a subscription without a provider. */
  extra: z.strictObject({ manage_url: z.url().nullable() }),
} as const;

export const subscriptionNotFound = {
  status: 404,
  message: 'There is no such subscription.',
} as const;

export const inputErrors = { MISSING_FIELD: 400, INVALID_FIELD: 400 } as const;

/** Errors of every change to a subscription. */
export const changeErrors = {
  ...inputErrors,
  SUBSCRIPTION_NOT_FOUND: subscriptionNotFound,
  OPERATION_NOT_SUPPORTED: notSupported,
  INVALID_STATE: { status: 409, message: 'The state of the subscription does not allow this.' },
} as const;

export const planErrors = {
  SAME_PLAN: { status: 400, message: 'The subscription has this plan already.' },
  RENEWAL_OFF: {
    status: 409,
    message:
      'The payment gateway changes the plan only of a subscription that renews. Switch the renewal on first.',
  },
  PLAN_NOT_AVAILABLE: { status: 400, message: 'Plans cannot be changed to or from this product.' },
  PLAN_CHANGE_REFUSED: {
    status: 422,
    message: 'The payment gateway refused the change; nothing was changed.',
    extra: z.strictObject({ reason: z.string() }),
  },
} as const;

// The user's subscriptions as both endpoints show them.

export interface ListParts extends Pick<Tools, 'config' | 'gateways' | 'liveSubscriptions'> {
  db: ReadDb;
  now: Date;
}

/** The end of the next day, so that answers within a day have the same link. */
const linkExpiry = (now: Date): Date =>
  new Date(Math.ceil(addSeconds(now, daySeconds).getTime() / (daySeconds * 1_000)) * daySeconds * 1_000);

const linksOf = ({ config, gateways, now }: ListParts): DetailLinks => ({
  baseUrl: config.BASE_URL,
  renewalUrl: (subscription: SubscriptionRecord) =>
    gateways.card.isConfigured && subscription.reference !== null
      ? gateways.card.checkoutUrl({
          productCode: subscription.product.code,
          currency: subscription.currency ?? subscription.product.currency,
          userId: subscription.userId,
          renews: subscription.reference,
          expiresAt: linkExpiry(now),
        })
      : null,
});

/** With the gateway's price, at most a minute old. */
export const detailsOf = async (
  parts: ListParts,
  subscription: SubscriptionRecord,
  answer = parts.liveSubscriptions.recent(subscription),
): Promise<SubscriptionDetails> =>
  subscriptionDetails(subscription, (await answer).live, linksOf(parts), parts.now);

/** The caller's subscription. Throws SUBSCRIPTION_NOT_FOUND. */
export const ownOf = async (
  { db, caller }: { db: ReadDb; caller: Pick<Caller, 'userId'> },
  id: number,
): Promise<SubscriptionRecord> => {
  const found = await subscriptionRecordRepo(db).byId(id);
  if (found?.userId !== caller.userId) throw new DomainError('SUBSCRIPTION_NOT_FOUND');
  return found;
};

// State changes are committed, tried at the gateway once, and then answered.

interface ChangeCall extends Pick<Tools, 'clock' | 'jobs' | 'gateways' | 'syncOrder'> {
  transaction: RunTransaction;
  caller: Caller;
}

interface ChangeAnswer {
  id: number;
  previous: GatewayStatus;
  next: GatewayStatus;
  warning: string | null;
}

const warningOf = (reason: string, isRefused: boolean): string =>
  isRefused
    ? `The payment gateway refused the change; nothing was changed (${reason})`
    : `The change is made here; the payment gateway does not have it yet (${reason})`;

/** Tries the order once; a failure is only a warning, since the job retries. A refused order is undone. */
export const tryOrder = async (
  { syncOrder }: Pick<ChangeCall, 'syncOrder'>,
  orderId: number,
): Promise<{ warning: string | null; isRefused: boolean; reason: string }> => {
  const result = await syncOrder(orderId);
  if (result.state === 'done') return { warning: null, isRefused: false, reason: '' };
  const { reason } = result;
  const isRefused = result.state === 'refused';
  return { warning: warningOf(reason, isRefused), isRefused, reason };
};

export const changeNow = async (call: ChangeCall, change: Omit<Change, 'userId'>): Promise<ChangeAnswer> => {
  const { userId } = call.caller;
  const { subscription, previous, orderId, voided } = await call.transaction((tx) =>
    changeSubscription(tx, call, { ...change, userId }),
  );
  const { warning, isRefused } = await tryOrder(call, orderId);
  const next = isRefused ? previous : subscription.gatewayStatus;
  const dropped = voided.includes('changePlan')
    ? 'The change of plan before it had not reached the payment gateway and is dropped.'
    : null;
  const warnings = [warning, dropped].filter((text) => text !== null);
  return { id: change.id, previous, next, warning: warnings.length > 0 ? warnings.join(' ') : null };
};

/** Status words as the gateways use them. */
export const gatewayStatusSchema = z.enum(['Running', 'paused', 'Cancelled', 'Expired']);

export const signedChangeSchema = z.strictObject({
  subscription_id: z.int(),
  previous_status: gatewayStatusSchema,
  new_status: gatewayStatusSchema,
  gateway_warning: z.string().optional(),
});

export const queryChangeSchema = z.strictObject({
  subscriptionId: z.int(),
  previousStatus: gatewayStatusSchema,
  newStatus: gatewayStatusSchema,
  gatewayWarning: z.string().optional(),
});

export const signedChange = (change: ChangeAnswer): z.output<typeof signedChangeSchema> => ({
  subscription_id: change.id,
  previous_status: change.previous,
  new_status: change.next,
  ...(change.warning === null ? {} : { gateway_warning: change.warning }),
});

export const queryChange = (change: ChangeAnswer): z.output<typeof queryChangeSchema> => ({
  subscriptionId: change.id,
  previousStatus: change.previous,
  newStatus: change.next,
  ...(change.warning === null ? {} : { gatewayWarning: change.warning }),
});

// Checkout links for the card gateway.

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

interface CheckoutCall extends Pick<Tools, 'gateways'> {
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

/** Throws PRODUCT_NOT_FOUND for a product that is not on sale. */
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

/** Throws ALREADY_SUBSCRIBED if the user already pays for it, unless a second subscription is intended. */
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
    expiresAt: expires,
  });
  return { checkoutUrl, expiresAt: wireTime(expires) };
};
