import { schedule } from 'node-cron';
import type { ScheduledTask } from 'node-cron';
import type { Context } from '#data/context.ts';
import { feedRepo } from '#data/postgres/feeds/feeds.ts';
import { seedSource } from '#data/seed.ts';
import { feedRun } from '#domain/jobs/feed-run.ts';
import type { JobContract } from '#domain/jobs/port.ts';
import { sweepExpired } from '#domain/jobs/sweep-expired.ts';
import { sweepGraphics } from '#domain/jobs/sweep-graphics.ts';
import { sweepLogs } from '#domain/jobs/sweep-logs.ts';
import { addSeconds } from '#domain/time.ts';
import type { Feed } from './define-feed.ts';
import { soonMinutes } from './handlers.ts';
import { periodMinutes, slotAt } from './slots.ts';

interface Sweep {
  job: JobContract;
  cron: string;
  /** Seconds after the tick that it runs at; one that runs more than once a minute has several. */
  atSeconds: readonly number[];
}

/** Periodic jobs besides the feeds. */
export const sweeps: readonly Sweep[] = [
  { job: sweepGraphics, cron: '* * * * *', atSeconds: [0, 15, 30, 45] },
  { job: sweepExpired, cron: '*/10 * * * *', atSeconds: [0] },
  { job: sweepLogs, cron: '17 * * * *', atSeconds: [0] },
];

/** Asks for the runs of a sweep that begin with one tick. */
export const enqueueSweep = (context: Context, { job, atSeconds }: Sweep, tick: Date): Promise<void> =>
  context.postgres.transaction(async (tx) => {
    for (const delaySeconds of atSeconds) {
      const slot = addSeconds(tick, delaySeconds).toISOString();
      await context.jobs.enqueue(tx, job, { slot }, delaySeconds > 0 ? { delaySeconds } : {});
    }
  });

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

/** Ticks that only enqueue; the same slot from a second scheduler is dropped by its dedupe key. */
export const startTicks = (context: Context, feeds: Iterable<Feed>): (() => Promise<void>) => {
  const tasks: ScheduledTask[] = [];
  const every = (name: string, cron: string, enqueue: (slot: Date) => Promise<unknown>) => {
    const tick = async () => {
      // Half a second ahead, so that a timer that fires early gives the same slot.
      const slot = slotAt(cron, addSeconds(context.clock.now(), 0.5));
      try {
        await enqueue(slot);
      } catch (error) {
        context.log.warn({ tick: name, err: error }, 'tick could not be enqueued; the next one will retry');
      }
    };
    tasks.push(schedule(cron, tick, { name, timezone: 'UTC', suppressMissedWarning: true }));
  };
  for (const feed of feeds) every(feed.name, feed.schedule, (slot) => enqueueFeed(context, feed.name, slot));
  for (const sweep of sweeps) every(sweep.job.name, sweep.cron, (slot) => enqueueSweep(context, sweep, slot));
  return async () => {
    for (const task of tasks) await task.destroy();
  };
};
