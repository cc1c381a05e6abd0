import { z } from 'zod';
import { defineJob } from './port.ts';

/** Sends one row of `outgoing_mail`. */
export const mailSend = defineJob({
  name: 'mail.send',
  lane: 'durable',
  payload: z.object({ mailId: z.int().positive() }),
  attempts: 12,
  backoffSeconds: 1,
  // A mail server may take 10 minutes to accept the data (RFC 5321, 4.5.3.2.6).
  timeoutSeconds: 660,
  dedupeKey: ({ mailId }) => String(mailId),
  keepFailedDays: 14,
});

/**
 * Maximum copies sent to a server that never answers, all with the same Message-ID; only an operator's retry sends
 * more.
 */
export const unansweredLimit = 3;
