import { createContext } from '#data/context.ts';
import type { Context } from '#data/context.ts';
import { runProcess } from '#data/process.ts';
import type { Lane } from '#domain/jobs/port.ts';
import { loadWorkerJobs } from './registry.ts';

export interface RunningWorkers {
  /** Accepts no more jobs, waits for the running ones, aborts them after the limit, closes the context. */
  stop(limitMs?: number): Promise<void>;
}

const stopLimitMs = 25_000;

/** Serves the lanes with every handler of `jobs/`. `stop` closes the context, too. */
export const start = async (context: Context, lanes: readonly Lane[]): Promise<RunningWorkers> => {
  const handlers = (await loadWorkerJobs()).map((job) => job.bind(context));
  const consumer = await context.queues.consumer();
  for (const lane of lanes) await consumer.consume(lane, handlers, context.config.WORKER_CONCURRENCY);
  const served = handlers.filter(({ contract }) => lanes.includes(contract.lane));
  context.log.info({ lanes, jobs: served.map(({ contract }) => contract.name) }, 'workers ready');
  return {
    stop: async (limitMs = stopLimitMs) => {
      await consumer.stop(limitMs);
      await context.close();
    },
  };
};

if (import.meta.main) {
  await runProcess(async (config) => start(await createContext(config, 'workers'), config.LANES));
}
