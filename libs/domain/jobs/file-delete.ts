import { z } from 'zod';
import { defineJob } from './port.ts';

/** Deletes the files of rows deleted in the enqueuing transaction. */
export const fileDelete = defineJob({
  name: 'file.delete',
  lane: 'durable',
  payload: z.object({ keys: z.array(z.string()).max(500) }),
  attempts: 12,
  backoffSeconds: 2,
  timeoutSeconds: 300,
  keepFailedDays: 14,
});
