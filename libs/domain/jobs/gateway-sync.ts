import { z } from 'zod';
import { defineJob } from './port.ts';

/** An order runs inline right after its commit; the job follows, should that have failed. */
export const inlineSeconds = 30;

/** Passes one row of `gateway_order` on to its gateway. The retries span about 17 hours; then the nightly run goes on. */
export const gatewaySync = defineJob({
  name: 'gateway.sync',
  lane: 'durable',
  payload: z.object({ orderId: z.int().positive() }),
  attempts: 12,
  backoffSeconds: 15,
  timeoutSeconds: 90,
  keepFailedDays: 14,
});
