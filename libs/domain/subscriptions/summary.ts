/** `user.subscription` (M-2.7.s*, c*, v*): the user's subscription and its features, or the preview. */
import { z } from 'zod';
import { wireTime } from '../time.ts';
import { daysRemaining, flagsOf, isAhead, productFlags } from './entitlement.ts';
import type { Entitlement } from './entitlement.ts';

const capabilitiesSchema = z.strictObject({
  ...flagsOf(productFlags, () => z.boolean()),
  maxCalculation: z.int(),
});

export const subscriptionSummarySchema = z.strictObject({
  title: z.string(),
  level: z.int(),
  status: z
    .enum(['ACTIVE', 'ACTIVE_PAUSED', 'PAUSED', 'EXPIRED', 'CANCELLED', 'NONE'])
    .describe('Status of the last subscription, as in getSubscriptions; `NONE` without a subscription.'),
  isActive: z.boolean(),
  isExpired: z.boolean(),
  expiry: z.string().nullable(),
  daysRemaining: z.int(),
  capabilities: capabilitiesSchema,
  preview: z.strictObject({
    active: z.boolean(),
    reason: z.enum(['NO_SUBSCRIPTION', 'SUBSCRIPTION_ENDED']).nullable(),
    /** Airports available in preview; empty: all. */
    allowedAirports: z.array(z.string()),
    message: z.string().nullable(),
  }),
});

type SubscriptionSummary = z.output<typeof subscriptionSummarySchema>;

const stateOf = (subscription: NonNullable<Entitlement['subscription']>, now: Date): string => {
  if (isAhead(subscription, now))
    return `Your subscription begins at ${wireTime(subscription.startsAt)} UTC.`;
  return subscription.status === 'PAUSED' ? 'Your subscription is paused.' : 'Your subscription has ended.';
};

const previewOf = (
  { isPreview, subscription, product }: Entitlement,
  now: Date,
): SubscriptionSummary['preview'] => {
  if (!isPreview) return { active: false, reason: null, allowedAirports: [], message: null };
  const allowedAirports = [...product.allowedAirports];
  const what = `Preview: ${product.maxCalculation} calculations in 30 days at ${allowedAirports.length} airports.`;
  const isEnded = subscription !== null && !isAhead(subscription, now);
  return {
    active: true,
    reason: isEnded ? 'SUBSCRIPTION_ENDED' : 'NO_SUBSCRIPTION',
    allowedAirports,
    message: `${subscription ? stateOf(subscription, now) : 'You have no subscription.'} ${what}`,
  };
};

export const subscriptionSummary = (entitlement: Entitlement, now: Date): SubscriptionSummary => {
  const { product, subscription, isActive } = entitlement;
  return {
    title: isActive ? product.title : (subscription?.product.title ?? product.title),
    level: entitlement.level,
    status: subscription?.status ?? 'NONE',
    isActive,
    isExpired: subscription !== null && !isActive && !isAhead(subscription, now),
    expiry: subscription ? wireTime(subscription.endsAt) : null,
    daysRemaining: subscription ? daysRemaining(subscription.endsAt, now) : 0,
    capabilities: {
      ...flagsOf(productFlags, (flag) => product[flag]),
      maxCalculation: product.maxCalculation,
    },
    preview: previewOf(entitlement, now),
  };
};
