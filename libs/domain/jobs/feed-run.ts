import { z } from 'zod';
import { defineJob } from './port.ts';

/** One run of a feed. The slot (UTC) identifies the run, so that two schedulers enqueue it once. */
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
