import { z } from 'zod';
import { defineJob } from './port.ts';

/** Deletes what has expired: password resets, rate-limit windows, sent mails. */
export const sweepExpired = defineJob({
  name: 'sweep.expired',
  lane: 'ingest',
  payload: z.object({ slot: z.iso.datetime() }),
  attempts: 3,
  backoffSeconds: 10,
  timeoutSeconds: 300,
  dedupeKey: ({ slot }) => slot,
  keepFailedDays: 7,
});
