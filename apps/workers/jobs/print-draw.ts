import { printDraw } from '#domain/jobs/print-draw.ts';
import { drawPrint } from '../print.ts';
import { handle } from '../handle.ts';

export default handle(printDraw, async ({ payload, ctx, log }) => {
  log.debug({ ...payload, outcome: await drawPrint(ctx, payload) }, 'print requested');
});
