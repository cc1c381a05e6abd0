import { z } from 'zod';
import { capabilities, kindOfGateway } from '#domain/subscriptions/gateway.ts';
import type { Gateway, GatewayCapabilities } from '#domain/subscriptions/gateway.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import { DomainError } from '#domain/errors.ts';
import { addSeconds, daysBetween } from '#domain/time.ts';
import { statusOf } from '#domain/subscriptions/entitlement.ts';
import { subscriptionDetails } from '#domain/subscriptions/details.ts';
import type { DetailLinks, SubscriptionDetails } from '#domain/subscriptions/details.ts';
import type { Caller } from '#domain/users/types.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import { subscriptionRecordRepo } from '#store/postgres/subscriptions/records.ts';
import type { Tools } from '../../../handler-context.ts';

// Errors that operations on subscriptions share.

export const notSupported = {
  status: 422,
  message: 'The payment provider of this subscription does not offer this here. Use its own page.',
  /** The provider's page; null for a subscription without provider. */
  extra: z.strictObject({ manage_url: z.url().nullable() }),
} as const;

export const subscriptionNotFound = {
  status: 404,
  message: 'There is no such subscription.',
} as const;

export const inputErrors = { MISSING_FIELD: 400, INVALID_FIELD: 400 } as const;

/** Of every change of one subscription. */
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
  PLAN_NOT_AVAILABLE: { status: 400, message: 'This product is not part of the plans that can be changed.' },
  PLAN_CHANGE_REFUSED: {
    status: 422,
    message: 'The payment gateway refused the change; nothing was changed.',
    extra: z.strictObject({ reason: z.string() }),
  },
} as const;

export interface Provider {
  gateway: Gateway | null;
  can: GatewayCapabilities | null;
  manageUrl: string | null;
}

/** The gateway of a subscription; all null for a grant by the operator. */
export const providerOf = (
  { gateways }: Pick<Tools, 'gateways'>,
  { gateway: code }: Pick<SubscriptionRecord, 'gateway'>,
): Provider => {
  const kind = kindOfGateway(code);
  if (!kind) return { gateway: null, can: null, manageUrl: null };
  return { gateway: gateways[kind], can: capabilities[kind], manageUrl: gateways[kind].manageUrl };
};

// The subscriptions of a user as both endpoints show them.

export interface ListParts extends Pick<Tools, 'config' | 'gateways' | 'liveSubscriptions'> {
  db: ReadDb;
  now: Date;
}

/** An expired one is listed for so long (M-2.10.l2). */
const listedDays = 30;
const daySeconds = 86_400;

/** The end of the next day: the same link for a day, so that two answers are equal. */
const linkExpiry = (now: Date): Date =>
  new Date(Math.ceil(addSeconds(now, daySeconds).getTime() / (daySeconds * 1_000)) * daySeconds * 1_000);

const linksOf = ({ config, gateways, now }: ListParts): DetailLinks => ({
  baseUrl: config.BASE_URL,
  storeManageUrl: gateways.store.manageUrl,
  renewalUrl: (subscription: SubscriptionRecord) =>
    gateways.card.isConfigured && subscription.reference !== null
      ? gateways.card.checkoutUrl({
          productCode: subscription.product.code,
          currency: subscription.currency ?? subscription.product.currency,
          userId: subscription.userId,
          email: subscription.accountEmail,
          renews: subscription.reference,
          expiresAt: linkExpiry(now),
        })
      : null,
});

/** With the price that the gateway names now, or named within the last minute. */
export const detailsOf = async (
  parts: ListParts,
  subscription: SubscriptionRecord,
  answer = parts.liveSubscriptions.recent(subscription),
): Promise<SubscriptionDetails> =>
  subscriptionDetails(subscription, (await answer).live, linksOf(parts), parts.now);

const isListed = (subscription: SubscriptionRecord, now: Date): boolean =>
  statusOf(subscription, now) !== 'EXPIRED' || daysBetween(subscription.endsAt, now) <= listedDays;

/** Active, paused and cancelled ones, those that expired within 30 days, latest end first. */
export const listOf = async (parts: ListParts, userId: number): Promise<SubscriptionDetails[]> =>
  Promise.all(
    (await subscriptionRecordRepo(parts.db).ofUser(userId))
      .filter((subscription) => isListed(subscription, parts.now))
      .map((subscription) => detailsOf(parts, subscription)),
  );

/** The subscription of the caller. Throws SUBSCRIPTION_NOT_FOUND. */
export const ownOf = async (
  { db, caller }: { db: ReadDb; caller: Pick<Caller, 'userId'> },
  id: number,
): Promise<SubscriptionRecord> => {
  const found = await subscriptionRecordRepo(db).byId(id);
  if (found?.userId !== caller.userId) throw new DomainError('SUBSCRIPTION_NOT_FOUND');
  return found;
};
