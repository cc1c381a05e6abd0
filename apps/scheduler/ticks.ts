import type { Context } from '#data/context.ts';
import { feedRepo } from '#data/postgres/feeds/feeds.ts';
import { startTicks } from '#data/queue/ticks.ts';
import { seedSource } from '#data/seed.ts';
import { feedRun } from '#domain/jobs/feed-run.ts';
import type { Feed } from './define-feed.ts';
import { soonMinutes } from './handlers.ts';
import { periodMinutes, slotAt } from '#domain/schedule/slots.ts';

export const enqueueFeed = (
  context: Context,
  feed: string,
  slot: Date,
  delaySeconds = 0,
): Promise<string | null> => {
  const options = delaySeconds > 0 ? { delaySeconds } : {};
  return context.postgres.transaction((tx) =>
    context.jobs.enqueue(tx, feedRun, { feed, slot: slot.toISOString() }, options),
  );
};

/** Large imports that all start at once would slow down the first answers. */
const apartSeconds = 5;

/**
 * Enqueues the feeds that missed their last slot while the scheduler was down: once each, not once per missed
 * slot. The slot is the minute of the startup, so that two schedulers starting together enqueue one run.
 */
export const catchUp = async (context: Context, feeds: Iterable<Feed>): Promise<string[]> => {
  const now = context.clock.now();
  const states = new Map((await feedRepo(context.postgres.db).states()).map((state) => [state.feed, state]));
  const asked: string[] = [];
  let delaySeconds = 0;
  for (const feed of feeds) {
    const state = states.get(feed.name);
    const isSeed = state?.lastSource === seedSource;
    if (!isSeed && state?.lastSuccessAt && state.lastSuccessAt >= slotAt(feed.schedule, now)) continue;
    const isFrequent = periodMinutes(feed.schedule, now) <= soonMinutes;
    await enqueueFeed(context, feed.name, slotAt('* * * * *', now), isFrequent ? 0 : delaySeconds);
    if (!isFrequent) delaySeconds += apartSeconds;
    asked.push(feed.name);
  }
  return asked;
};

/** Starts the ticks of the feeds; the same slot from a second scheduler is dropped by its dedupe key. */
export const startFeedTicks = (context: Context, feeds: readonly Feed[]): (() => Promise<void>) =>
  startTicks(
    context,
    feeds.map(({ name, schedule }) => ({
      name,
      cron: schedule,
      enqueue: (slot: Date) => enqueueFeed(context, name, slot),
    })),
  );
