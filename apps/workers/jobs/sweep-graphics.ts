import { askForPicture } from '#commands/graphics.ts';
import { graphicRepo, pictureJobKey } from '#store/postgres/performance/graphics.ts';
import type { Picture } from '#store/postgres/performance/graphics.ts';
import { graphicRender, pictureRequeue } from '#domain/jobs/contracts.ts';
import { addSeconds } from '#domain/time.ts';
import { cronJob } from '../worker-job.ts';

const givenUpAfterSeconds = 86_400;
/** Few enough for Redis to answer within its time limit. */
const perPage = 400;

/** Re-enqueues pictures that have no job. Jobs that are still queued or are dead letters stay unchanged. */
export default cronJob(
  {
    name: 'sweep.graphics',
    cron: '* * * * *',
    everySeconds: pictureRequeue.everySeconds,
    timeoutSeconds: 60,
    backoffSeconds: 5,
  },
  async ({ ctx, log, signal }) => {
    const now = ctx.clock.now();
    const times = {
      from: addSeconds(now, -givenUpAfterSeconds),
      to: addSeconds(now, -pictureRequeue.lostAfterSeconds),
      now,
    };
    let count = 0;
    let page: Picture[] = [];
    do {
      page = await graphicRepo(ctx.postgres.db).waiting(times, perPage, page.at(-1));
      const known = await ctx.queues.find(graphicRender, page.map(pictureJobKey));
      const lost = page.filter((picture) => !known.has(pictureJobKey(picture)));
      await ctx.postgres.transaction(async (tx) => {
        for (const seen of lost) await askForPicture(tx, ctx, { seen, now });
      });
      count += lost.length;
    } while (page.length === perPage && !signal.aborted);
    if (count > 0) log.warn({ count }, 'picture jobs were lost, enqueued again');
  },
);
