import { graphicRender } from '#domain/jobs/graphic-render.ts';
import { drawPicture } from '../draw.ts';
import { handle } from '../handle.ts';

export default handle(graphicRender, async ({ payload, ctx, log }) => {
  log.debug({ ...payload, outcome: await drawPicture(ctx, payload) }, 'picture requested');
});
