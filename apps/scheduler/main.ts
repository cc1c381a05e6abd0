import { startBackground } from '#data/background.ts';
import type { Background } from '#data/background.ts';
import { openContext } from '#data/context.ts';
import type { Context } from '#data/context.ts';
import { addStateMetrics } from '#data/metrics/state-metrics.ts';
import { feedStatusWrites } from '#store/postgres/feeds/status.ts';
import { withSources } from '#simulated/own.ts';
import { readyLevel, runProcess } from '#platform/process.ts';
import type { Feed } from './define-feed.ts';
import { catchUp, feedRunHandler, feedTicks } from './feed-jobs.ts';
import { shownNames } from './runner.ts';
import { loadFeeds } from './define-feed.ts';

/** Feeds mostly wait for slow servers, so a few run at once, and a long download never delays METARs. */
const feedsAtOnce = 4;

/** Starts the scheduler: ticks that enqueue, and the consumer of feed jobs. `stop` also closes the context. */
export const start = async (context: Context): Promise<Background> => {
  const { config } = context;
  const feeds = await loadFeeds();
  const isSimulated = config.SOURCES === 'simulated';
  const active: Feed[] = [];
  for (const feed of feeds.values()) {
    const reason = feed.off?.(config) ?? null;
    if (reason === null) active.push(feed);
    else context.log.info({ feed: feed.name }, reason);
  }
  const declared = [...feeds.values()].flatMap((feed) =>
    shownNames(feed).map((name) => ({ ...feed, name, isOff: !active.includes(feed), isSimulated })),
  );
  await context.postgres.transaction((tx) => feedStatusWrites(tx).declare(declared));
  const asked = await catchUp(context, active);
  const background = await startBackground(context, {
    lanes: ['ingest'],
    handlers: [feedRunHandler(context, feeds)],
    atOnce: feedsAtOnce,
    ticks: feedTicks(context, active),
    addMetrics: (register) => addStateMetrics(register, context),
  });
  context.log[readyLevel()]({ feeds: [...feeds.keys()], catchUp: asked }, 'scheduler ready');
  return background;
};

if (import.meta.main) {
  await runProcess('scheduler', async (given) => {
    const { config, close } = await withSources(given);
    const running = await start(await openContext(config, 'scheduler'));
    return {
      stop: async () => {
        await running.stop();
        await close();
      },
    };
  });
}
