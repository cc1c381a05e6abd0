import { publishEvent } from '#commands/webhooks.ts';
import { feedStatusRepo, feedWatchWrites } from '#store/postgres/feeds/status.ts';
import type { FeedReport } from '#store/postgres/feeds/status.ts';
import { feedAbout } from '#domain/feeds/about.ts';
import { cronJob } from '../worker-job.ts';

/** A feed that has never run, on a new installation, is not down. */
const isDown = ({ status, lastSuccessAt, consecutiveFailures }: FeedReport): boolean =>
  status === 'down' && (lastSuccessAt !== null || consecutiveFailures > 0);

/** Notifies the operator's endpoints of a feed that goes down, once until it is up again. */
export default cronJob(
  { name: 'feed.watch', cron: '* * * * *', timeoutSeconds: 30, attempts: 1 },
  async ({ ctx, log }) => {
    const now = ctx.clock.now();
    const reports = await feedStatusRepo(ctx.postgres.db).reports(now);
    const down = reports.filter(isDown).map(({ feed }) => feed);
    await ctx.postgres.transaction(async (tx) => {
      for (const feed of await feedWatchWrites(tx).note(down)) {
        const report = reports.find((each) => each.feed === feed);
        const lastSuccessAt = report?.lastSuccessAt?.toISOString() ?? null;
        const data = { feed, title: feedAbout(feed).title, lastSuccessAt, error: report?.lastError ?? null };
        await publishEvent(tx, ctx, { event: 'feed.down', data });
        log.warn({ feed }, 'feed is down');
      }
    });
  },
);
