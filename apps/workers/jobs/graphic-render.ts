import { graphicRender } from '#domain/jobs/graphic-render.ts';
import { sceneToSvg } from '#perf/graphic/svg.ts';
import { drawCalculation } from '../draw.ts';
import { handle } from '../handle.ts';

export default handle(graphicRender, ({ payload: { publicId }, ctx, signal }) =>
  drawCalculation(ctx, sceneToSvg, publicId, signal),
);
