import { openContext } from '#data/context.ts';
import type { Context } from '#data/context.ts';
import { startHealthFile } from '#data/health-file.ts';
import { startMetrics } from '#data/metrics/start.ts';
import { readyLevel, runProcess } from '#platform/process.ts';
import { reportRunningJobs } from '#store/queue/run-job.ts';
import type { Stoppable } from '#platform/process.ts';
import type { Lane } from '#domain/jobs/port.ts';
import { startTicks } from '#store/queue/ticks.ts';
import { cronTicks } from './cron.ts';
import { loadWorkerJobs } from './registry.ts';

interface RunningWorkers extends Stoppable {
  /** Port of `/metrics`; null without one. */
  metricsPort: number | null;
}

/** Concurrent jobs of one kind. */
const jobsOfAKind = 2;
/** An aborted job runs again; a container that takes longer would be killed. */
const stopLimitMs = 5_000;

/**
 * Runs the handlers in `jobs/` for these lanes. `stop` accepts no more jobs, waits for running ones, aborts them after
 * the limit, and closes the context.
 */
export const start = async (context: Context, lanes: readonly Lane[]): Promise<RunningWorkers> => {
  const jobs = await loadWorkerJobs();
  const handlers = jobs.map((job) => job.bind(context));
  const consumer = await context.queues.createConsumer();
  for (const lane of lanes) await consumer.consume(lane, handlers, jobsOfAKind);
  const scheduled = jobs.filter(({ contract }) => lanes.includes(contract.lane));
  const stopTicks = startTicks(context, cronTicks(context, scheduled));
  const health = await startHealthFile(context);
  const metrics = await startMetrics(context);
  const served = handlers.filter(({ contract }) => lanes.includes(contract.lane));
  context.log[readyLevel()]({ lanes, jobs: served.map(({ contract }) => contract.name) }, 'workers ready');
  return {
    metricsPort: metrics.port,
    stop: async () => {
      await stopTicks();
      await health.stop();
      reportRunningJobs(context.log);
      await consumer.stop(stopLimitMs);
      await metrics.close();
      await context.close();
    },
  };
};

if (import.meta.main) {
  await runProcess('workers', async (config) => start(await openContext(config, 'workers'), config.LANES));
}
