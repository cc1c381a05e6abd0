import { syncOrder } from '#commands/subscriptions/sync-order.ts';
import { gatewaySync } from '#domain/jobs/contracts.ts';
import { handle } from '../worker-job.ts';

const timeoutMs = 30_000;

export default handle(gatewaySync, async ({ payload, ctx, signal, log }) => {
  const { orderId } = payload;
  const result = await syncOrder(ctx, orderId, { timeoutMs, signal });
  if (result.state === 'failed')
    throw new Error(`The gateway does not have order ${orderId}: ${result.reason}`);
  if (result.state === 'refused') log.error({ orderId, reason: result.reason }, 'gateway refused an order');
});
