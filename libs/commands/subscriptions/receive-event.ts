import { webhookApply } from '#domain/jobs/webhook-apply.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { gatewayEventWrites } from '#store/postgres/subscriptions/gateway-events.ts';
import type { NewGatewayEvent } from '#store/postgres/subscriptions/gateway-events.ts';

/** Stores a verified message and the job that applies it, together. False for another copy of a stored one. */
export const receiveEvent = async (
  tx: Tx,
  { jobs }: { jobs: JobProducer<Tx> },
  event: NewGatewayEvent,
): Promise<boolean> => {
  const eventId = await gatewayEventWrites(tx).add(event);
  if (eventId === null) return false;
  await jobs.enqueue(tx, webhookApply, { eventId });
  return true;
};
