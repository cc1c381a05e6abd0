import type { JobProducer } from '#domain/jobs/port.ts';
import { kindOfGateway } from '#domain/subscriptions/gateway.ts';
import type { Clock } from '#domain/time.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { subscriptionRecordWrites } from '#store/postgres/subscriptions/records.ts';
import type { ListedSubscription } from '#store/postgres/subscriptions/subscriptions.ts';
import { orderEnd } from './change.ts';
import { addToLedger } from './ledger.ts';
import { settle } from './settle.ts';
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
  const before = await subscriptionRecordWrites(tx).lock(id);
  if (!before) return subscriptionOf(tx, id);
  const what = `The operator added ${days} days.`;
  await addToLedger(tx, before, { entries: [{ kind: 'days', at: now, days, cause: what }] });
  const after = await settle(tx, { clock, jobs }, { before, entry: { at: now, source: 'operator', what } });
  if (after.reference !== null && kindOfGateway(after.gateway) === 'card')
    await orderEnd(tx, { clock, jobs }, { subscription: after });
  return subscriptionOf(tx, id);
};
