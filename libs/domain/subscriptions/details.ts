/** The subscription object (M-2.10). */
import { z } from 'zod';
import { wireTime, wireTimeOrNull } from '../time.ts';
import { canStillBeCharged } from './agreement.ts';
import { daysRemaining, flagsOf, givesAccess, includedFlags, isAhead, statusOf } from './entitlement.ts';
import { gatewayCodes, isOffered, kindOfGateway, manageUrls } from './gateway.ts';
import type { LiveSubscription } from './gateway.ts';
import { allows } from './lifecycle.ts';
import { toMajor } from './money.ts';
import type { SubscriptionRecord } from './record.ts';

const timeSchema = z.string().nullable();

export const subscriptionDetailsSchema = z.strictObject({
  subscriptionId: z.int(),
  subscriptionReference: z.string().nullable(),
  title: z.string(),
  groupPackage: z.string().nullable(),
  paymentMethod: z.enum([
    gatewayCodes.wallet,
    gatewayCodes.card,
    gatewayCodes.store,
    'commercial',
    'unknown',
  ]),
  status: z.enum(['ACTIVE', 'ACTIVE_PAUSED', 'PAUSED', 'EXPIRED', 'CANCELLED']),
  isPaused: z.boolean(),
  pauseUntil: z.iso.date().nullable(),
  pauseReason: z.string().nullable(),
  autoRenew: z.boolean(),
  billing: z.strictObject({
    frequency: z.enum(['monthly', 'yearly', 'unknown']),
    interval: z.enum(['M', 'Y']).nullable(),
    pricePaid: z.number(),
    currency: z.string().nullable(),
    nextBillingDate: timeSchema,
    nextBillingAmount: z.number().nullable(),
    lastPaymentDate: timeSchema,
    cyclesCompleted: z.int(),
  }),
  subscriber: z.strictObject({ email: z.string(), name: z.string(), cardLast4: z.string().nullable() }),
  dates: z.strictObject({
    start: z.string(),
    end: z.string(),
    daysRemaining: z.int(),
    isActive: z.boolean(),
    isExpired: z.boolean(),
  }),
  image: z.strictObject({ filename: z.string(), url: z.url() }),
  actions: z.strictObject({
    canPause: z.boolean(),
    canCancel: z.boolean(),
    canUpgrade: z.boolean(),
    canRenew: z.boolean(),
    renewalUrl: z.url().nullable(),
    storeManageUrl: z.url().nullable(),
  }),
  pricing: z.strictObject({
    catalogPrice: z.number(),
    discountPercent: z.int(),
    promoCode: z.string().nullable(),
    discountRecurring: z.boolean().nullable(),
    discountMaxCycles: z.int().nullable(),
    durationDays: z.int(),
    durationLabel: z.string(),
  }),
  features: z.strictObject({
    level: z.int(),
    maxCalculation: z.int(),
    ...flagsOf(includedFlags, () => z.boolean()),
  }),
});

export type SubscriptionDetails = z.output<typeof subscriptionDetailsSchema>;

export interface DetailLinks {
  /** Base URL for product images. */
  baseUrl: string;
  /** Link that renews a card subscription; null if there is none. */
  renewalUrl: (subscription: SubscriptionRecord) => string | null;
}

const durationLabels = { monthly: '1 month', yearly: '1 year' } as const;
const intervals = { monthly: 'M', yearly: 'Y', unknown: null } as const;

/**
 * The next billing date; null if there is none. The card gateway charges when the paid period or a pause ends,
 * and never for a lifetime licence, which ends in year 9999.
 */
const nextBillingOf = ({ autoRenew, gateway, gatewayStatus, ...dates }: SubscriptionRecord): Date | null => {
  if (!autoRenew || gateway === null || gatewayStatus === 'Cancelled' || gatewayStatus === 'Expired')
    return null;
  if (kindOfGateway(gateway) !== 'card') return dates.nextBillingAt;
  const resumesAt = gatewayStatus === 'paused' && dates.pauseUntil ? new Date(dates.pauseUntil) : null;
  if (resumesAt && resumesAt > dates.endsAt) return resumesAt;
  return dates.endsAt.getUTCFullYear() === 9999 ? null : dates.endsAt;
};

const billingOf = (
  subscription: SubscriptionRecord,
  live: LiveSubscription | null,
): SubscriptionDetails['billing'] => {
  const { product } = subscription;
  const { currency, nextMinor } = live?.price ?? { currency: null, nextMinor: null };
  const nextBillingAt = nextBillingOf(subscription);
  return {
    frequency: product.frequency,
    interval: intervals[product.frequency],
    pricePaid: toMajor(subscription.pricePaidMinor, subscription.currency ?? product.currency),
    currency,
    nextBillingDate: wireTimeOrNull(nextBillingAt),
    nextBillingAmount: nextBillingAt && currency && nextMinor !== null ? toMajor(nextMinor, currency) : null,
    lastPaymentDate: wireTimeOrNull(subscription.lastPaymentAt),
    cyclesCompleted: subscription.cyclesCompleted,
  };
};

const actionsOf = (
  subscription: SubscriptionRecord,
  links: DetailLinks,
  now: Date,
): SubscriptionDetails['actions'] => {
  const kind = kindOfGateway(subscription.gateway);
  const can = (verb: 'pause' | 'cancel' | 'changePlan'): boolean =>
    isOffered(subscription.gateway, verb) && allows(subscription, verb, now);
  return {
    canPause: can('pause'),
    canCancel: can('cancel'),
    canUpgrade: can('changePlan') && subscription.autoRenew && subscription.hasHigherPlan,
    // Renewing a subscription that is charged anyway would pay twice.
    canRenew: kind === 'card' && !canStillBeCharged(subscription),
    renewalUrl: kind === 'card' ? links.renewalUrl(subscription) : null,
    storeManageUrl: kind === 'store' ? manageUrls.store : null,
  };
};

export const subscriptionDetails = (
  subscription: SubscriptionRecord,
  live: LiveSubscription | null,
  links: DetailLinks,
  now: Date,
): SubscriptionDetails => {
  const { product, gateway, gatewayStatus, startsAt, endsAt } = subscription;
  const kind = kindOfGateway(gateway);
  const isActive = givesAccess(subscription, now);
  const filename = `${product.code}.svg`;
  return {
    subscriptionId: subscription.id,
    subscriptionReference: subscription.reference,
    title: product.title,
    groupPackage: product.groupPackage,
    paymentMethod: kind ? gatewayCodes[kind] : product.isCommercial ? 'commercial' : 'unknown',
    status: statusOf(subscription, now),
    isPaused: gatewayStatus === 'paused',
    pauseUntil: gatewayStatus === 'paused' ? subscription.pauseUntil : null,
    pauseReason: gatewayStatus === 'paused' ? subscription.pauseReason : null,
    autoRenew: subscription.autoRenew,
    billing: billingOf(subscription, live),
    subscriber: {
      email: subscription.subscriberEmail ?? subscription.accountEmail,
      name: subscription.subscriberName ?? subscription.accountName,
      cardLast4: subscription.cardLast4,
    },
    dates: {
      start: wireTime(startsAt),
      end: wireTime(endsAt),
      daysRemaining: daysRemaining(endsAt, now),
      isActive,
      isExpired: !isActive && !isAhead(subscription, now),
    },
    image: { filename, url: `${links.baseUrl}/products/${filename}` },
    actions: actionsOf(subscription, links, now),
    pricing: {
      catalogPrice: toMajor(product.priceMinor, product.currency),
      discountPercent: subscription.discountPercent ?? 0,
      promoCode: subscription.promoCode,
      discountRecurring: subscription.promoCode === null ? null : subscription.discountRecurring,
      discountMaxCycles: subscription.discountMaxCycles,
      durationDays: product.durationDays,
      durationLabel:
        product.frequency === 'unknown' ? `${product.durationDays} days` : durationLabels[product.frequency],
    },
    features: {
      level: product.level,
      maxCalculation: product.maxCalculation,
      ...flagsOf(includedFlags, (flag) => product[flag]),
    },
  };
};
