/** The subscriptions of a user as both endpoints show them. */
import { DomainError } from '#domain/errors.ts';
import { addSeconds, daysBetween } from '#domain/time.ts';
import { statusOf } from '#domain/subscriptions/entitlement.ts';
import { subscriptionDetails } from '#domain/subscriptions/details.ts';
import type { DetailLinks, SubscriptionDetails } from '#domain/subscriptions/details.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import type { Caller } from '#domain/users/types.ts';
import type { ReadDb } from '#data/postgres/sql.ts';
import { subscriptionRecordRepo } from '#data/postgres/subscriptions/records.ts';
import type { Tools } from '../../../handler-context.ts';

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
