/** Messages of gateways, which are stored before they are read. */
import type { Deps } from '#commands/deps.ts';
import { DomainError } from '#domain/errors.ts';
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
 * Applies a message of a gateway again; a parked one for this account, where it names none that exists. Throws
 * NOT_FOUND, and APPLIED for one that is applied.
 */
export const retryMessage = async (
  tx: Tx,
  { jobs }: Deps<'jobs'>,
  { id, userId }: { id: number; userId?: number | undefined },
): Promise<void> => {
  const event = await gatewayEventRepo(tx).byId(id);
  if (!event) throw new DomainError('NOT_FOUND', {}, `There is no message ${id}.`);
  if (event.state === 'applied') throw new DomainError('APPLIED', {}, `Message ${id} is applied.`);
  if (userId !== undefined) await gatewayEventWrites(tx).assign(id, userId);
  await jobs.enqueue(tx, webhookApply, { eventId: id });
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
