import { z } from 'zod';
import { defineJob } from './port.ts';

/** Sends one row of `outgoing_mail`. */
export const mailSend = defineJob({
  name: 'mail.send',
  lane: 'durable',
  payload: z.object({ mailId: z.int().positive() }),
  attempts: 12,
  backoffSeconds: 1,
  timeoutSeconds: 60,
  dedupeKey: ({ mailId }) => String(mailId),
  keepFailedDays: 14,
});
