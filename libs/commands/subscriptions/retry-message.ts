import { DomainError } from '#domain/errors.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import { webhookApply } from '#domain/jobs/webhook-apply.ts';
import { gatewayEventRepo, gatewayEventWrites } from '#store/postgres/subscriptions/gateway-events.ts';
import type { Tx } from '#store/postgres/sql.ts';

/**
 * Applies a message of a gateway again; a parked one for this account, where it names none that exists. Throws
 * NOT_FOUND, and APPLIED for one that is applied.
 */
export const retryMessage = async (
  tx: Tx,
  { jobs }: { jobs: JobProducer<Tx> },
  { id, userId }: { id: number; userId?: number | undefined },
): Promise<void> => {
  const event = await gatewayEventRepo(tx).byId(id);
  if (!event) throw new DomainError('NOT_FOUND', {}, `There is no message ${id}.`);
  if (event.state === 'applied') throw new DomainError('APPLIED', {}, `Message ${id} is applied.`);
  if (userId !== undefined) await gatewayEventWrites(tx).assign(id, userId);
  await jobs.enqueue(tx, webhookApply, { eventId: id });
};
