import { runFeedNow } from '#commands/feeds/run-feed.ts';
import { text } from './flags.ts';
import { operatorVerb } from './verb.ts';

export const runFeedVerb = operatorVerb({
  summary: 'Enqueues a run of a feed now, for the scheduler; `npm run ingest` runs one here.',
  flags: { feed: text('Name of the feed (feeds list).') },
  run: async ({ change, clock, queues }, { feed }) => {
    const { producer: jobs } = await queues();
    await change((tx, trail) => runFeedNow(tx, { clock, jobs, trail }, { feed }));
    return { data: { feed, enqueued: true }, notice: `A run of ${feed} is queued.` };
  },
});
