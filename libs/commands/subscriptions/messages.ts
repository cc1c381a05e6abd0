/** Gateway messages, which are stored before they are parsed. */
import type { Deps } from '#commands/deps.ts';
import { webhookApply } from '#domain/jobs/contracts.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { gatewayEventRepo, gatewayEventWrites } from '#store/postgres/subscriptions/gateway-events.ts';
import type { NewGatewayEvent } from '#store/postgres/subscriptions/gateway-events.ts';

/** Stores a verified message together with the job that applies it. False for another copy of a stored message. */
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
 * Assigns earlier purchases made with an account's address to it, and applies them. Only for an account that has
 * confirmed its address, or by an operator. Returns the message ids.
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
