import type { Clock } from '#domain/time.ts';
import type { Tx } from '#data/postgres/sql.ts';
import { subscriptionWrites } from '#data/postgres/subscriptions/subscriptions.ts';
import type { ListedSubscription } from '#data/postgres/subscriptions/subscriptions.ts';
import { subscriptionOf } from './subscription-of.ts';

/**
 * Ends the renewal; access remains until the paid end date, or ends `immediately`. Throws
 * SUBSCRIPTION_NOT_FOUND.
 */
export const cancelSubscription = async (
  tx: Tx,
  { clock }: { clock: Clock },
  { id, immediately }: { id: number; immediately: boolean },
): Promise<ListedSubscription> => {
  await subscriptionWrites(tx).cancel(id, immediately ? clock.now() : null);
  return subscriptionOf(tx, id);
};
