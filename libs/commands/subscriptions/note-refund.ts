import { amountText } from '#domain/subscriptions/money.ts';
import type { Clock } from '#domain/time.ts';
import type { Tx } from '#data/postgres/sql.ts';
import { subscriptionHistoryWrites } from '#data/postgres/subscriptions/history.ts';

/** Records a refund that the gateway has accepted; its effect comes with the gateway's notification. */
export const noteRefund = async (
  tx: Tx,
  { clock }: { clock: Clock },
  {
    id,
    refundId,
    amountMinor,
    currency,
  }: { id: number; refundId: string; amountMinor: number; currency: string },
): Promise<void> => {
  const what = `An administrator refunded ${amountText(amountMinor, currency)} ${currency} (${refundId}).`;
  await subscriptionHistoryWrites(tx).add(id, { at: clock.now(), source: 'user', what });
};
