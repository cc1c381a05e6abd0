import { z } from 'zod';
import { defineJob } from './port.ts';

/** Resizes one row of `picture_upload`, for which its request waits. */
export const pictureResize = defineJob({
  name: 'picture.resize',
  lane: 'durable',
  payload: z.object({ uploadId: z.uuid() }),
  attempts: 3,
  backoffSeconds: 1,
  timeoutSeconds: 60,
  dedupeKey: ({ uploadId }) => uploadId,
  keepFailedDays: 2,
});
