import { z } from 'zod';
import { defineJob } from './port.ts';

/** Enqueues pictures again that are still missing two minutes after their calculation. */
export const sweepGraphics = defineJob({
  name: 'sweep.graphics',
  lane: 'ingest',
  payload: z.object({ slot: z.iso.datetime() }),
  attempts: 3,
  backoffSeconds: 5,
  timeoutSeconds: 60,
  dedupeKey: ({ slot }) => slot,
  keepFailedDays: 7,
});
