import { askForPicture } from '#commands/performance/ask-for-picture.ts';
import { graphicRepo, pictureJobKey } from '#data/postgres/performance/graphics.ts';
import { graphicRender } from '#domain/jobs/graphic-render.ts';
import { addSeconds } from '#domain/time.ts';
import { cronJob } from '../cron.ts';

/**
 * A job is added right after the commit that enqueues it; one that is still missing after this time is lost.
 */
const lostAfterSeconds = 5;
const givenUpAfterSeconds = 86_400;
const atOnce = 2_000;
const perTransaction = 100;

/** Jobs that are still queued, or failed and are dead letters, are left unchanged. */
export default cronJob(
  {
    name: 'sweep.graphics',
    cron: '* * * * *',
    atSeconds: [0, 15, 30, 45],
    timeoutSeconds: 60,
    backoffSeconds: 5,
  },
  async ({ ctx, log }) => {
    const now = ctx.clock.now();
    const waiting = await graphicRepo(ctx.postgres.db).waiting(
      addSeconds(now, -givenUpAfterSeconds),
      addSeconds(now, -lostAfterSeconds),
      atOnce,
    );
    const known = await ctx.queues.find(graphicRender, waiting.map(pictureJobKey));
    const lost = waiting.filter((picture) => !known.has(pictureJobKey(picture)));
    if (lost.length === 0) return;
    for (let from = 0; from < lost.length; from += perTransaction) {
      await ctx.postgres.transaction(async (tx) => {
        for (const seen of lost.slice(from, from + perTransaction))
          await askForPicture(tx, ctx, { seen, now });
      });
    }
    log.warn({ count: lost.length }, 'picture jobs were lost, enqueued again');
  },
);
