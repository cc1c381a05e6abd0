import { z } from 'zod';
import { defineJob } from './port.ts';

/** An order is tried inline after its commit; the job starts later, in case that failed. */
export const inlineSeconds = 30;

/**
 * Sends one row of `gateway_order` to its gateway. Retries span about 17 hours; after that the nightly run continues.
 */
export const gatewaySync = defineJob({
  name: 'gateway.sync',
  lane: 'durable',
  payload: z.object({ orderId: z.int().positive() }),
  attempts: 12,
  backoffSeconds: 15,
  timeoutSeconds: 90,
  keepFailedDays: 14,
});
