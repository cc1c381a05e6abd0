import { z } from 'zod';
import { defineJob } from './port.ts';

/**
 * One run of one feed. The slot (UTC) is the time the run is for, so that two schedulers enqueue a single run.
 */
export const feedRun = defineJob({
  name: 'feed.run',
  lane: 'ingest',
  payload: z.object({ feed: z.string().min(1), slot: z.iso.datetime() }),
  attempts: 4,
  backoffSeconds: 5,
  timeoutSeconds: 900,
  dedupeKey: ({ feed, slot }) => `${feed}@${slot}`,
  keepFailedDays: 7,
});
