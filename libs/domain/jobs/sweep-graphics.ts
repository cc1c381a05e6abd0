import { z } from 'zod';
import { defineJob } from './port.ts';

/** Asks again for pictures whose job was lost: Redis lost its data, or a process died between commit and add. */
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
