import { z } from 'zod';
import { defineJob } from './port.ts';

/** Applies one row of `gateway_event`. */
export const webhookApply = defineJob({
  name: 'webhook.apply',
  lane: 'durable',
  payload: z.object({ eventId: z.int().positive() }),
  attempts: 12,
  backoffSeconds: 2,
  timeoutSeconds: 60,
  keepFailedDays: 30,
});
