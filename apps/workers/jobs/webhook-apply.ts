import { applyEvent } from '#data/gateways/apply-event.ts';
import { applyNotice } from '#commands/subscriptions/apply-notice.ts';
import { webhookApply } from '#domain/jobs/webhook-apply.ts';
import { handle } from '../handle.ts';

export default handle(webhookApply, async ({ payload, ctx, log }) => {
  const outcome = await applyEvent(ctx, payload.eventId, (tx, applied) => applyNotice(tx, ctx, applied));
  if (outcome?.state === 'parked')
    log.warn({ event: payload.eventId, reason: outcome.reason }, 'webhook parked');
});
