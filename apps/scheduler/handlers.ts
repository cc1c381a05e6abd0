import type { Context } from '#data/context.ts';
import { ReportedError, UnrecoverableError } from '#domain/errors.ts';
import { feedRun } from '#domain/jobs/contracts.ts';
import type { JobHandler } from '#domain/jobs/port.ts';
import { periodMinutes } from '#store/schedule/slots.ts';
import type { Feed } from './define-feed.ts';
import { runFeed } from './runner.ts';

/** A feed that runs again within this time is not retried before its next slot. */
export const soonMinutes = 15;

/** Handles `feed.run` for the given feeds. */
export const feedRunHandler = (
  context: Context,
  feeds: ReadonlyMap<string, Feed>,
): JobHandler<typeof feedRun.payload> => ({
  contract: feedRun,
  run: async ({ payload, id, signal }) => {
    const feed = feeds.get(payload.feed);
    if (!feed) throw new UnrecoverableError(`there is no feed ${payload.feed}`);
    const outcome = await runFeed(context, feed, { slot: new Date(payload.slot), signal, jobId: id });
    if (outcome.kind !== 'failed' || outcome.retryAt !== null) return;
    if (periodMinutes(feed.schedule, new Date(payload.slot)) >= soonMinutes)
      throw new ReportedError(outcome.error);
  },
});
