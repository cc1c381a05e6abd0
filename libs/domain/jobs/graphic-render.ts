import { z } from 'zod';
import { graphicNames, rasterFormats } from '../performance/graphic.ts';
import { defineJob } from './port.ts';

/** The intervals of `sweep.graphics`. */
export const pictureRequeue = { everySeconds: 15, lostAfterSeconds: 5 } as const;

/** Draws a requested PNG or JPG of a calculation. SVG needs no job, since it is rendered from the row. */
export const graphicRender = defineJob({
  name: 'graphic.render',
  lane: 'compute',
  payload: z.object({
    publicId: z.uuid(),
    name: z.enum(graphicNames),
    format: z.enum(rasterFormats),
  }),
  attempts: 5,
  backoffSeconds: 1,
  timeoutSeconds: 60,
  keepFailedDays: 7,
  requeue: pictureRequeue,
});
