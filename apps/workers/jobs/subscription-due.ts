import { followTime } from '#commands/subscriptions/change.ts';
import { subscriptionRecordRepo } from '#store/postgres/subscriptions/records.ts';
import { cronJob } from '../worker-job.ts';

/** The next run handles the rest. */
const batch = 2_000;

/** Subscriptions that begin, end or continue as time passes: users get mails, and pauses end. */
export default cronJob(
  { name: 'subscription.due', cron: '*/10 * * * *', timeoutSeconds: 300 },
  async ({ ctx, signal, log }) => {
    const ids = await subscriptionRecordRepo(ctx.postgres.db).changedByTime(ctx.clock.now(), batch);
    for (const id of ids) {
      signal.throwIfAborted();
      await ctx.postgres.transaction((tx) => followTime(tx, ctx, { id }));
    }
    if (ids.length > 0) log.info({ changed: ids.length }, 'subscriptions changed by time');
  },
);
