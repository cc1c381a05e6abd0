import type { Context } from '#data/context.ts';
import { feedRepo } from '#store/postgres/feeds/feeds.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { ReportedError, UnrecoverableError } from '#domain/errors.ts';
import type { JobHandler } from '#domain/jobs/port.ts';
import { tickWrites } from '#store/queue/ticks.ts';
import type { Tick } from '#store/queue/ticks.ts';
import { feedRun } from '#domain/jobs/contracts.ts';
import { slotKey } from '#domain/schedule/claims.ts';
import type { Slot } from '#domain/schedule/claims.ts';
import { periodMinutes, slotAt } from '#store/schedule/slots.ts';
import type { Feed } from './define-feed.ts';
import { runFeed } from './runner.ts';

/** A feed that runs again within this time is not retried before its next slot. */
const soonMinutes = 15;

const runKey = (feed: string, slot: Slot): string => `${feed}@${slotKey(slot)}`;

/** A job key that allows a run of this slot after an earlier one failed. */
const keyAfter = async ({ queues }: Context, key: string, failedAt: Date | null): Promise<string> => {
  const state = (await queues.find(feedRun, [key])).get(key) ?? 'queued';
  return state === 'queued' ? key : `${key} after ${failedAt?.toISOString() ?? 'nothing'}`;
};

export const enqueueFeed = (
  context: Context,
  tx: Tx,
  run: { feed: string; slot: Slot; delaySeconds?: number; dedupeKey?: string },
): Promise<string | null> => {
  const { feed, slot, delaySeconds = 0, dedupeKey = runKey(feed, slot) } = run;
  const options = { dedupeKey, ...(delaySeconds > 0 ? { delaySeconds } : {}) };
  return context.jobs.enqueue(tx, feedRun, { feed, slot: slot.at.toISOString() }, options);
};

const tickName = (feed: string): string => `feed:${feed}`;

/** Large imports starting together would slow down the first answers. */
const apartSeconds = 5;

/**
 * Enqueues each feed without a success since its last slot, once, however many slots it missed. A success in the
 * future, from before a clock was set back, counts. The slot is the minute of the startup, so that two schedulers
 * starting together enqueue one run; ticks continue with later slots. A failed run in this very minute does not count
 * as this one.
 */
export const catchUp = async (context: Context, feeds: Iterable<Feed>): Promise<string[]> => {
  const now = context.clock.now();
  const states = new Map((await feedRepo(context.postgres.db).states()).map((state) => [state.feed, state]));
  const asked: string[] = [];
  let delaySeconds = 0;
  for (const feed of feeds) {
    const state = states.get(feed.name);
    const last = slotAt(feed.schedule, now);
    const succeededAt = state?.lastSuccessAt ?? null;
    const isFresh = succeededAt !== null && succeededAt >= last;
    const isFrequent = periodMinutes(feed.schedule, now) <= soonMinutes;
    await context.postgres.transaction(async (tx) => {
      const claim = await tickWrites(tx).claim(tickName(feed.name), last, now);
      const slot = { at: slotAt('* * * * *', now), round: claim.slot.round };
      if (isFresh) return;
      const dedupeKey = await keyAfter(context, runKey(feed.name, slot), state?.lastFailureAt ?? null);
      await enqueueFeed(context, tx, {
        feed: feed.name,
        slot,
        dedupeKey,
        delaySeconds: isFrequent ? 0 : delaySeconds,
      });
    });
    if (isFresh) continue;
    if (!isFrequent) delaySeconds += apartSeconds;
    asked.push(feed.name);
  }
  return asked;
};

/** Ticks of the feeds; each slot is enqueued once, even by several schedulers. */
export const feedTicks = (context: Context, feeds: readonly Feed[]): Tick[] =>
  feeds.map(({ name, schedule }) => ({
    name: tickName(name),
    cron: schedule,
    enqueue: (tx, slot) => enqueueFeed(context, tx, { feed: name, slot }),
  }));

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
