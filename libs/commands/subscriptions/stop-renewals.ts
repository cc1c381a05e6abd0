import type { JobProducer } from '#domain/jobs/port.ts';
import { canBeCancelledHere, canStillBeCharged, chargedName } from '#domain/subscriptions/agreement.ts';
import type { Clock } from '#domain/time.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import { subscriptionRecordRepo } from '#store/postgres/subscriptions/records.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import { cancelSubscription } from './cancel.ts';

/** The subscriptions for which the user can still be charged. */
export const chargedOf = async (db: ReadDb, userId: number): Promise<SubscriptionRecord[]> =>
  (await subscriptionRecordRepo(db).ofUser(userId)).filter(canStillBeCharged);

export interface RenewalDeps {
  clock: Clock;
  jobs: JobProducer<Tx>;
}

export interface StoppedRenewals {
  /** Cancelled here; the gateway has the order. */
  cancelled: string[];
  /** Only the customer can cancel these, at their gateway. */
  charged: string[];
}

/** Cancels for the operator whatever an account can still be charged for. */
export const stopRenewals = async (
  tx: Tx,
  deps: RenewalDeps,
  { userId }: { userId: number },
): Promise<StoppedRenewals> => {
  const stopped: StoppedRenewals = { cancelled: [], charged: [] };
  for (const found of await chargedOf(tx, userId)) {
    const canCancel = canBeCancelledHere(found);
    stopped[canCancel ? 'cancelled' : 'charged'].push(chargedName(found));
    if (canCancel) await cancelSubscription(tx, deps, { id: found.id, immediately: false });
  }
  return stopped;
};
