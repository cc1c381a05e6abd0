import { openContext } from '#data/context.ts';
import type { Context } from '#data/context.ts';
import { feedStatusWrites } from '#store/postgres/feeds/status.ts';
import { withSources } from '#simulated/own.ts';
import { reportRunningJobs } from '#store/queue/run-job.ts';
import { startHealthFile } from '#data/health-file.ts';
import { startMetrics } from '#data/metrics/start.ts';
import { addStateMetrics } from '#data/metrics/state-metrics.ts';
import { readyLevel, runProcess } from '#platform/process.ts';
import type { Stoppable } from '#platform/process.ts';
import { feedRunHandler } from './handlers.ts';
import { shownNames } from './parts.ts';
import { loadFeeds } from './registry.ts';
import { startTicks } from '#store/queue/ticks.ts';
import { catchUp, feedTicks } from './ticks.ts';

interface RunningScheduler extends Stoppable {
  /** Port of `/metrics`; null without one. */
  metricsPort: number | null;
}

/** Feeds mostly wait for slow servers, so a few run at once, and a long download never delays METARs. */
const feedsAtOnce = 4;
/** An aborted run is restarted; a container that takes longer would be killed. */
const stopLimitMs = 5_000;

/** Starts the scheduler: ticks that enqueue, and the consumer of feed jobs. `stop` also closes the context. */
export const start = async (context: Context): Promise<RunningScheduler> => {
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
  const consumer = await context.queues.createConsumer();
  await consumer.consume('ingest', [feedRunHandler(context, feeds)], feedsAtOnce);
  const asked = await catchUp(context, active);
  const stopTicks = startTicks(context, feedTicks(context, active));
  const health = await startHealthFile(context);
  const metrics = await startMetrics(context, (register) => addStateMetrics(register, context));
  context.log[readyLevel()]({ feeds: [...feeds.keys()], catchUp: asked }, 'scheduler ready');
  return {
    metricsPort: metrics.port,
    stop: async () => {
      await health.stop();
      await stopTicks();
      reportRunningJobs(context.log);
      await consumer.stop(stopLimitMs);
      await metrics.close();
      await context.close();
    },
  };
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
