import { z } from 'zod';
import { defineJob } from './port.ts';

/** Deletes request logs older than 3 days (30 for calculations), except those that an open report refers to. */
export const sweepLogs = defineJob({
  name: 'sweep.logs',
  lane: 'ingest',
  payload: z.object({ slot: z.iso.datetime() }),
  attempts: 3,
  backoffSeconds: 10,
  timeoutSeconds: 300,
  dedupeKey: ({ slot }) => slot,
  keepFailedDays: 7,
});
