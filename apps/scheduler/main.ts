import { startBackground } from '#data/background.ts';
import type { Background } from '#data/background.ts';
import { openContext } from '#data/context.ts';
import type { Context } from '#data/context.ts';
import { addStateMetrics } from '#data/metrics/state-metrics.ts';
import { feedStatusWrites } from '#store/postgres/feeds/status.ts';
import { withSources } from '#simulated/own.ts';
import { readyLevel, runProcess } from '#platform/process.ts';
import { feedRunHandler } from './handlers.ts';
import { shownNames } from './parts.ts';
import { loadFeeds } from './registry.ts';
import { catchUp, feedTicks } from './ticks.ts';

/** Feeds mostly wait for slow servers, so a few run at once, and a long download never delays METARs. */
const feedsAtOnce = 4;

/** Starts the scheduler: ticks that enqueue, and the consumer of feed jobs. `stop` also closes the context. */
export const start = async (context: Context): Promise<Background> => {
  const { config } = context;
  const feeds = await loadFeeds();
  const reasons = new Map([...feeds.values()].map((feed) => [feed.name, feed.off?.(config) ?? null]));
  for (const [feed, reason] of reasons) if (reason !== null) context.log.info({ feed }, reason);
  const isOff = ({ name }: { name: string }): boolean => (reasons.get(name) ?? null) !== null;
  const isSimulated = config.SOURCES === 'simulated';
  const declared = [...feeds.values()].flatMap((feed) =>
    shownNames(feed).map((name) => ({ ...feed, name, isOff: isOff(feed), isSimulated })),
  );
  await context.postgres.transaction((tx) => feedStatusWrites(tx).declare(declared));
  const active = [...feeds.values()].filter((feed) => !isOff(feed));
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
