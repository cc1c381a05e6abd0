import type { Config } from '#platform/config/config.ts';
import { openContext } from '#data/context.ts';
import { feedStatusWrites } from '#data/postgres/feeds/status.ts';
import { withSources } from '#simulated/own.ts';
import { reportRunningJobs } from '#data/queue/run-job.ts';
import { startHealthFile } from '#data/health-file.ts';
import { startMetrics } from '#data/metrics/start.ts';
import { addStateMetrics } from '#data/metrics/state-metrics.ts';
import { readyLevel, runProcess } from '#platform/process.ts';
import type { Stoppable } from '#platform/process.ts';
import { feedRunHandler } from './handlers.ts';
import { shownNames } from './parts.ts';
import { loadFeeds } from './registry.ts';
import { catchUp, startFeedTicks } from './ticks.ts';

export interface RunningScheduler extends Stoppable {
  /** Port of `/metrics`; null without one. */
  metricsPort: number | null;
}

/**
 * Feeds spend most of their time waiting for slow servers, so a few run at once: a long download never delays
 * METARs.
 */
const feedsAtOnce = 4;
/** An aborted run is restarted; a container that takes any longer would be killed. */
const stopLimitMs = 5_000;
const orphanLimitMs = 500;

/** Starts the scheduler: ticks that enqueue, and the consumer of feed jobs. */
export const start = async (given: Config): Promise<RunningScheduler> => {
  const { config, close: closeSources } = await withSources(given);
  const context = await openContext(config, 'scheduler');
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
  const consumer = await context.queues.consumer();
  await consumer.consume('ingest', [feedRunHandler(context, feeds)], feedsAtOnce);
  const asked = await catchUp(context, active);
  const stopTicks = startFeedTicks(context, active);
  const health = await startHealthFile(context);
  const metrics = await startMetrics(context, (register) => addStateMetrics(register, context));
  context.log[readyLevel()]({ feeds: [...feeds.keys()], catchUp: asked }, 'scheduler ready');
  return {
    metricsPort: metrics.port,
    stop: async ({ isOrphan = false } = {}) => {
      await health.stop();
      await stopTicks();
      reportRunningJobs(context.log);
      await consumer.stop(isOrphan ? orphanLimitMs : stopLimitMs);
      await metrics.close();
      await context.close();
      await closeSources();
    },
  };
};

if (import.meta.main) {
  await runProcess('scheduler', start);
}
