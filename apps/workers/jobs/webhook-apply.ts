import { applyNotice } from '#commands/subscriptions/apply-notice.ts';
import { webhookApply } from '#domain/jobs/contracts.ts';
import { kindOfGateway } from '#domain/subscriptions/gateway.ts';
import { gatewayEventRepo, gatewayEventWrites } from '#store/postgres/subscriptions/gateway-events.ts';
import type { EventOutcome } from '#store/postgres/subscriptions/gateway-events.ts';
import { handle } from '../worker-job.ts';

const nothing: EventOutcome = {
  state: 'ignored',
  reason: 'The message changes nothing.',
  userId: null,
  subscriptionId: null,
  email: null,
};

/**
 * Applies one stored message completely or not at all. It is parsed from its bytes each time, so a parked
 * message can be applied later.
 */
export default handle(webhookApply, async ({ payload, ctx, log }) => {
  const { eventId: id } = payload;
  const { postgres, gateways, clock } = ctx;
  const event = await gatewayEventRepo(postgres.db).byId(id);
  const kind = kindOfGateway(event?.gateway ?? null);
  if (!event || !kind || event.state === 'applied' || event.state === 'ignored') return;
  const reader = gateways[kind].messages[event.event];
  if (!reader) throw new Error(`The ${kind} gateway is not configured for messages "${event.event}".`);
  const { gateway, eventId, userId, raw, receivedAt } = event;
  const notices = await reader.notices(raw, receivedAt);
  await postgres.transaction(async (tx) => {
    // Another run of the same job may have been faster.
    if (!(await gatewayEventWrites(tx).lockOpen(id))) return;
    let outcome = nothing;
    for (const notice of notices) {
      const next = await applyNotice(tx, ctx, { gateway, eventId, notice, source: 'gateway', userId });
      if (outcome.state !== 'parked') outcome = next;
    }
    await gatewayEventWrites(tx).finish(id, outcome, clock.now());
    if (outcome.state === 'parked') log.warn({ event: id, reason: outcome.reason }, 'webhook parked');
  });
});
