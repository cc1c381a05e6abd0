import { z } from 'zod';
import { defineJob } from './port.ts';

/** Handles one row of `password_reset_request`: mails a link, or does nothing without such an account. */
export const passwordReset = defineJob({
  name: 'password.reset',
  lane: 'durable',
  payload: z.object({ requestId: z.int().positive() }),
  attempts: 8,
  backoffSeconds: 1,
  timeoutSeconds: 30,
  dedupeKey: ({ requestId }) => String(requestId),
  keepFailedDays: 2,
});
