import { graphicRepo } from '#data/postgres/performance/graphics.ts';
import { graphicRender } from '#domain/jobs/graphic-render.ts';
import { sweepGraphics } from '#domain/jobs/sweep-graphics.ts';
import { addSeconds } from '#domain/time.ts';
import { handle } from '../handle.ts';

const stuckAfterSeconds = 120;
const givenUpAfterSeconds = 86_400;
const atOnce = 500;

/** Closes the gap between a commit and Redis: pictures still missing are enqueued again, each once an hour. */
export default handle(sweepGraphics, async ({ payload: { slot }, ctx, log }) => {
  const now = ctx.clock.now();
  const ids = await graphicRepo(ctx.postgres.db).unfinished(
    addSeconds(now, -givenUpAfterSeconds),
    addSeconds(now, -stuckAfterSeconds),
    atOnce,
  );
  if (ids.length === 0) return;
  const hour = slot.slice(0, 13);
  await ctx.postgres.transaction(async (tx) => {
    for (const publicId of ids) {
      await ctx.jobs.enqueue(tx, graphicRender, { publicId }, { dedupeKey: `stuck:${publicId}@${hour}` });
    }
  });
  log.warn({ count: ids.length }, 'pictures were missing, enqueued again');
});
