import { z } from 'zod';
import { printFiles } from '../prints/files.ts';
import { defineJob } from './port.ts';

/** Draws one file of a print while its request waits. */
export const printDraw = defineJob({
  name: 'print.draw',
  lane: 'durable',
  payload: z.object({ printId: z.uuid(), file: z.enum(printFiles) }),
  attempts: 3,
  backoffSeconds: 1,
  timeoutSeconds: 60,
  keepFailedDays: 7,
});
