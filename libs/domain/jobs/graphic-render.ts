import { z } from 'zod';
import { defineJob } from './port.ts';

/** Draws every scene of one calculation as SVG, PNG and JPG. */
export const graphicRender = defineJob({
  name: 'graphic.render',
  lane: 'compute',
  payload: z.object({ publicId: z.uuid() }),
  attempts: 5,
  backoffSeconds: 1,
  timeoutSeconds: 60,
  keepFailedDays: 7,
});
