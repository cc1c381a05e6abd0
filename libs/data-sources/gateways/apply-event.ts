import { kindOfGateway } from '#domain/subscriptions/gateway.ts';
import type { Gateways } from '#domain/subscriptions/gateway.ts';
import type { GatewayNotice } from '#domain/subscriptions/notice.ts';
import type { Clock } from '#domain/time.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { gatewayEventRepo, gatewayEventWrites } from '#store/postgres/subscriptions/gateway-events.ts';
import type { EventOutcome } from '#store/postgres/subscriptions/gateway-events.ts';

interface ApplyParts {
  postgres: Postgres;
  gateways: Gateways;
  clock: Clock;
}

type Apply = (
  tx: Tx,
  applied: {
    gateway: string;
    eventId: string;
    notice: GatewayNotice;
    source: 'gateway';
    /** Account that the event was given to, where the notice names none that exists. */
    userId: number | null;
  },
) => Promise<EventOutcome>;

const nothing: EventOutcome = {
  state: 'ignored',
  reason: 'The message changes nothing.',
  userId: null,
  subscriptionId: null,
  email: null,
};

/**
 * Applies one stored message, all of it or nothing. What it says is read again each time from its bytes, so a message
 * that was parked can be applied later. Null: there is no such message, or it is applied already.
 */
export const applyEvent = async (
  { postgres, gateways, clock }: ApplyParts,
  id: number,
  apply: Apply,
): Promise<EventOutcome | null> => {
  const event = await gatewayEventRepo(postgres.db).byId(id);
  const kind = kindOfGateway(event?.gateway ?? null);
  if (!event || !kind || event.state === 'applied' || event.state === 'ignored') return null;
  const reader = gateways[kind].messages[event.event];
  if (!reader) throw new Error(`The ${kind} gateway is not configured for messages "${event.event}".`);
  const { raw: body, contentType, receivedAt } = event;
  const notices = await reader.notices({ body, contentType }, receivedAt);
  return postgres.transaction(async (tx) => {
    // Another run of the same job may have been faster.
    if (!(await gatewayEventWrites(tx).lockOpen(id))) return null;
    let outcome = nothing;
    for (const notice of notices) {
      const { gateway, eventId, userId } = event;
      const next = await apply(tx, { gateway, eventId, notice, source: 'gateway', userId });
      if (outcome.state !== 'parked') outcome = next;
    }
    await gatewayEventWrites(tx).finish(id, outcome, clock.now());
    return outcome;
  });
};
