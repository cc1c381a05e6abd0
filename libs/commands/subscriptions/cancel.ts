import type { JobProducer } from '#domain/jobs/port.ts';
import { capabilities, kindOfGateway } from '#domain/subscriptions/gateway.ts';
import { clockOf } from '#domain/subscriptions/notice.ts';
import type { Clock } from '#domain/time.ts';
import type { Tx } from '#data/postgres/sql.ts';
import { subscriptionWrites } from '#data/postgres/subscriptions/subscriptions.ts';
import type { ListedSubscription } from '#data/postgres/subscriptions/subscriptions.ts';
import { subscriptionHistoryWrites } from '#data/postgres/subscriptions/history.ts';
import { subscriptionRecordWrites } from '#data/postgres/subscriptions/records.ts';
import { orderFromGateway } from './change.ts';
import { subscriptionOf } from './subscription-of.ts';

/**
 * Ends the renewal; access remains until the paid end date, or ends `immediately`. Throws
 * SUBSCRIPTION_NOT_FOUND.
 */
export const cancelSubscription = async (
  tx: Tx,
  { clock, jobs }: { clock: Clock; jobs: JobProducer<Tx> },
  { id, immediately }: { id: number; immediately: boolean },
): Promise<ListedSubscription> => {
  const now = clock.now();
  const before = await subscriptionRecordWrites(tx).lock(id);
  await subscriptionWrites(tx).cancel(id, immediately ? now : null);
  const kind = kindOfGateway(before?.gateway ?? null);
  if (before?.reference && kind && capabilities[kind].cancel)
    await orderFromGateway(tx, { clock, jobs }, { subscriptionId: id, verb: 'cancel', parameters: {} });
  const after = await subscriptionRecordWrites(tx).lock(id);
  const what = immediately ? 'The operator ended it.' : 'The operator cancelled it.';
  if (before && after) {
    const local = clockOf(now, 'local');
    // Unless access is ended at once, a payment that was made before and is reported later still extends the access.
    const ends = immediately ? { endsAt: local } : {};
    const clocks = { ...after.clocks, intent: local, autoRenew: local, ...ends };
    await subscriptionRecordWrites(tx).save({ ...after, clocks });
    await subscriptionHistoryWrites(tx).add(id, { at: now, source: 'operator', what }, before, after);
  }
  return subscriptionOf(tx, id);
};
