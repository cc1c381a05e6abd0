import type { Clock } from '#domain/time.ts';
import { messageOf, webhookEvents } from '#domain/webhooks/events.ts';
import type { EventData, WebhookEvent } from '#domain/webhooks/events.ts';
import { webhookDeliveryWrites } from '#store/postgres/webhooks/deliveries.ts';
import type { Tx } from '#store/postgres/sql.ts';

type Published = {
  [E in WebhookEvent]: {
    event: E;
    data: EventData<E>;
    /** When it becomes true; absent: now. */
    at?: Date;
  };
}[WebhookEvent];

/** Leaves a message for every endpoint that has asked for it, in the transaction of what it tells. */
export const publishEvent = async (
  tx: Tx,
  { clock }: { clock: Clock },
  { event, data, at }: Published,
): Promise<void> => {
  const now = clock.now();
  const happensAt = at && at > now ? at : now;
  await webhookDeliveryWrites(tx).publish({
    event,
    body: messageOf(event, happensAt, data),
    userId: webhookEvents[event].audience === 'user' && 'userId' in data ? data.userId : null,
    createdAt: now,
    nextAt: happensAt,
  });
};
