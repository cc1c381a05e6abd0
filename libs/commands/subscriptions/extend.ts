import type { Clock } from '#domain/time.ts';
import type { Tx } from '#data/postgres/sql.ts';
import { subscriptionWrites } from '#data/postgres/subscriptions/subscriptions.ts';
import type { ListedSubscription } from '#data/postgres/subscriptions/subscriptions.ts';
import { subscriptionOf } from './subscription-of.ts';

/**
 * Adds days to the end date, or to the current time if the end date has passed. Throws SUBSCRIPTION_NOT_FOUND.
 */
export const extendSubscription = async (
  tx: Tx,
  { clock }: { clock: Clock },
  { id, days }: { id: number; days: number },
): Promise<ListedSubscription> => {
  await subscriptionWrites(tx).extend(id, days, clock.now());
  return subscriptionOf(tx, id);
};
