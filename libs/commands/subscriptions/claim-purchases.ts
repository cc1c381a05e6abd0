import { webhookApply } from '#domain/jobs/webhook-apply.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import { gatewayEventRepo, gatewayEventWrites } from '#store/postgres/subscriptions/gateway-events.ts';
import type { Tx } from '#store/postgres/sql.ts';

/**
 * What was bought with the address of an account before the account existed belongs to it, and is applied. Only for an
 * account that has proved to own its address, or by an operator. Returns the ids of the messages.
 */
export const claimPurchases = async (
  tx: Tx,
  { jobs }: { jobs: JobProducer<Tx> },
  { userId }: { userId: number },
): Promise<number[]> => {
  const eventIds = await gatewayEventRepo(tx).unclaimedBy(userId);
  for (const eventId of eventIds) {
    await gatewayEventWrites(tx).assign(eventId, userId);
    await jobs.enqueue(tx, webhookApply, { eventId });
  }
  return eventIds;
};
