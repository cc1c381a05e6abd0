import { DomainError } from '#domain/errors.ts';
import type { ReadDb } from '#store/postgres/sql.ts';
import { subscriptionRepo } from '#store/postgres/subscriptions/subscriptions.ts';
import type { ListedSubscription } from '#store/postgres/subscriptions/subscriptions.ts';

/** The current state of the subscription. Throws SUBSCRIPTION_NOT_FOUND. */
export const subscriptionOf = async (db: ReadDb, id: number): Promise<ListedSubscription> => {
  const found = await subscriptionRepo(db).byId(id);
  if (!found) throw new DomainError('SUBSCRIPTION_NOT_FOUND', {}, `There is no subscription ${id}.`);
  return found;
};
