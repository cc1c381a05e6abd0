import type { Context } from '#data/context.ts';
import { endOrder } from '#commands/subscriptions/end-order.ts';
import { syncOrder } from '#data/gateways/sync.ts';
import type { SyncResult } from '#data/gateways/sync.ts';

/** The caller waits; the job has more time. */
const timeoutMs = 4_000;

/** The one attempt before the answer. Whatever fails here is tried again by the job, so nothing is thrown. */
export const syncInline = async (context: Context, orderId: number): Promise<SyncResult> => {
  try {
    return await syncOrder(context, orderId, {
      timeoutMs,
      ended: (tx, ending) => endOrder(tx, context, ending),
    });
  } catch (error) {
    context.log.warn({ err: error, orderId }, 'gateway order could not be tried');
    return { state: 'failed', reason: 'The gateway could not be called.' };
  }
};
