import type { JobProducer } from '#domain/jobs/port.ts';
import { DomainError } from '#domain/errors.ts';
import { confirmedBy } from '#domain/subscriptions/agreement.ts';
import { capabilities, kindOfGateway } from '#domain/subscriptions/gateway.ts';
import { clockOf } from '#domain/subscriptions/notice.ts';
import type { Clock } from '#domain/time.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { subscriptionRecordWrites } from '#store/postgres/subscriptions/records.ts';
import type { ListedSubscription } from '#store/postgres/subscriptions/subscriptions.ts';
import { orderFromGateway } from './change.ts';
import { addToLedger } from './ledger.ts';
import { settle } from './settle.ts';
import { subscriptionOf } from './subscription-of.ts';

/**
 * Ends the renewal; access remains until the paid end date, or ends `immediately`. Throws SUBSCRIPTION_NOT_FOUND, and
 * OPERATION_NOT_SUPPORTED for the renewal of a subscription that only its customer can cancel.
 */
export const cancelSubscription = async (
  tx: Tx,
  { clock, jobs }: { clock: Clock; jobs: JobProducer<Tx> },
  { id, immediately }: { id: number; immediately: boolean },
): Promise<ListedSubscription> => {
  const now = clock.now();
  const before = await subscriptionRecordWrites(tx).lock(id);
  if (!before) return subscriptionOf(tx, id);
  const kind = kindOfGateway(before.gateway);
  const isOrdered = before.reference !== null && kind !== null && capabilities[kind].cancel;
  if (kind && !capabilities[kind].cancel && !immediately)
    throw new DomainError(
      'OPERATION_NOT_SUPPORTED',
      {},
      `Only the customer can cancel it, at ${before.gateway}.`,
    );
  const local = clockOf(now, 'local');
  const order = { subscriptionId: id, verb: 'cancel', parameters: {} } as const;
  if (isOrdered) await orderFromGateway(tx, { clock, jobs }, order);
  // Without a gateway there is nothing to confirm.
  const isAgreed = kind === null || before.reference === null;
  const agreement = isAgreed ? confirmedBy(before, order, local) : before.agreement;
  const what = immediately ? 'The operator ended it.' : 'The operator cancelled it.';
  const entry = { at: now, source: 'operator', what } as const;
  if (immediately) await addToLedger(tx, before, { entries: [{ kind: 'end', at: now, cause: what }] });
  await settle(tx, { clock, jobs }, { before, entry, set: { agreement } });
  return subscriptionOf(tx, id);
};
