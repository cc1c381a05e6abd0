import { startBackground } from '#data/background.ts';
import type { Background } from '#data/background.ts';
import { openContext } from '#data/context.ts';
import type { Context } from '#data/context.ts';
import type { Lane } from '#domain/jobs/port.ts';
import { readyLevel, runProcess } from '#platform/process.ts';
import { cronTicks, loadWorkerJobs } from './worker-job.ts';

/** Serves the lanes with every handler of `jobs/`. */
export const start = async (context: Context, lanes: readonly Lane[]): Promise<Background> => {
  const jobs = await loadWorkerJobs();
  const served = jobs.filter(({ contract }) => lanes.includes(contract.lane));
  const handlers = jobs.map((job) => job.bind(context));
  const ticks = cronTicks(context, served);
  const background = await startBackground(context, { lanes, handlers, atOnce: 2, ticks });
  context.log[readyLevel()]({ lanes, jobs: served.map(({ contract }) => contract.name) }, 'workers ready');
  return background;
};

if (import.meta.main) {
  await runProcess('workers', async (config) => start(await openContext(config, 'workers'), config.LANES));
}
