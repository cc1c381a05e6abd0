import type { JobProducer } from '#domain/jobs/port.ts';
import { kindOfGateway } from '#domain/subscriptions/gateway.ts';
import { clockOf } from '#domain/subscriptions/notice.ts';
import type { Clock } from '#domain/time.ts';
import type { Tx } from '#data/postgres/sql.ts';
import { subscriptionHistoryWrites } from '#data/postgres/subscriptions/history.ts';
import { subscriptionRecordWrites } from '#data/postgres/subscriptions/records.ts';
import { subscriptionWrites } from '#data/postgres/subscriptions/subscriptions.ts';
import type { ListedSubscription } from '#data/postgres/subscriptions/subscriptions.ts';
import { orderFromGateway } from './change.ts';
import { subscriptionOf } from './subscription-of.ts';

/**
 * Adds days to the end date, or to the current time if the end date has passed; at the card gateway, too, which would
 * otherwise report its own end. Throws SUBSCRIPTION_NOT_FOUND.
 */
export const extendSubscription = async (
  tx: Tx,
  { clock, jobs }: { clock: Clock; jobs: JobProducer<Tx> },
  { id, days }: { id: number; days: number },
): Promise<ListedSubscription> => {
  const now = clock.now();
  const records = subscriptionRecordWrites(tx);
  const before = await records.lock(id);
  await subscriptionWrites(tx).extend(id, days, now);
  const after = await records.lock(id);
  if (before && after) {
    const local = clockOf(now, 'local');
    const revived = before.gatewayStatus === 'Expired' ? { intent: local, isLapsed: local } : {};
    await records.save({ ...after, clocks: { ...after.clocks, ...revived, endsAt: local } });
    const entry = { at: now, source: 'operator', what: `The operator added ${days} days.` } as const;
    await subscriptionHistoryWrites(tx).add(id, entry, before, after);
    const parameters = { endsAt: after.endsAt.toISOString() };
    const order = { subscriptionId: id, verb: 'extend', parameters, isInline: false } as const;
    if (after.reference !== null && kindOfGateway(after.gateway) === 'card')
      await orderFromGateway(tx, { clock, jobs }, order);
  }
  return subscriptionOf(tx, id);
};
