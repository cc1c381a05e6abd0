/** Shared parts of processes without HTTP: jobs, ticks, health file and metrics. */
import type { Registry } from 'prom-client';
import type { JobHandler, Lane } from '#domain/jobs/port.ts';
import type { Stoppable } from '#platform/process.ts';
import { reportRunningJobs } from '#store/queue/run-job.ts';
import { startTicks } from '#store/queue/ticks.ts';
import type { Tick } from '#store/queue/ticks.ts';
import type { Context } from './context.ts';
import { startHealthFile } from './health-file.ts';
import { startMetrics } from './metrics/process-metrics.ts';

/** After this time running jobs are aborted, and run again later: orchestrators kill a container that stops slowly. */
const stopLimitMs = 5_000;

export interface Background extends Stoppable {
  /** Port of `/metrics`; null without one. */
  metricsPort: number | null;
}

interface Work {
  lanes: readonly Lane[];
  handlers: readonly JobHandler[];
  /** Concurrent jobs of this kind. */
  atOnce: number;
  ticks: readonly Tick[];
  addMetrics?: (register: Registry) => void;
}

/** `stop` accepts no more jobs, waits for the running ones up to the limit, aborts the rest and closes the context. */
export const startBackground = async (
  context: Context,
  { lanes, handlers, atOnce, ticks, addMetrics }: Work,
): Promise<Background> => {
  const consumer = await context.queues.createConsumer();
  for (const lane of lanes) await consumer.consume(lane, handlers, atOnce);
  const stopTicks = startTicks(context, ticks);
  const stopHealthFile = await startHealthFile(context);
  const metrics = await startMetrics(context, addMetrics);
  return {
    metricsPort: metrics.port,
    stop: async () => {
      await stopHealthFile();
      await stopTicks();
      reportRunningJobs(context.log);
      await consumer.stop(stopLimitMs);
      await metrics.close();
      await context.close();
    },
  };
};
