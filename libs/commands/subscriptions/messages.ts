/** Messages of gateways, which are stored before they are read. */
import type { Deps } from '#commands/deps.ts';
import { webhookApply } from '#domain/jobs/webhook-apply.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { gatewayEventRepo, gatewayEventWrites } from '#store/postgres/subscriptions/gateway-events.ts';
import type { NewGatewayEvent } from '#store/postgres/subscriptions/gateway-events.ts';

/** Stores a verified message and the job that applies it, together. False for another copy of a stored one. */
export const receiveEvent = async (
  tx: Tx,
  { jobs }: Deps<'jobs'>,
  event: NewGatewayEvent,
): Promise<boolean> => {
  const eventId = await gatewayEventWrites(tx).add(event);
  if (eventId === null) return false;
  await jobs.enqueue(tx, webhookApply, { eventId });
  return true;
};

/**
 * What was bought with the address of an account before the account existed belongs to it, and is applied. Only for an
 * account that has proved to own its address, or by an operator. Returns the ids of the messages.
 */
export const claimPurchases = async (
  tx: Tx,
  { jobs }: Deps<'jobs'>,
  { userId }: { userId: number },
): Promise<number[]> => {
  const eventIds = await gatewayEventRepo(tx).unclaimedBy(userId);
  for (const eventId of eventIds) {
    await gatewayEventWrites(tx).assign(eventId, userId);
    await jobs.enqueue(tx, webhookApply, { eventId });
  }
  return eventIds;
};
