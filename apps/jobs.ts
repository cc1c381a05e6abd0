/** Runs workers and scheduler in one process, for `npm start`. */
import { openContext } from '#data/context.ts';
import { seedDatabase } from '#operator/seed.ts';
import { readConfig } from '#platform/config/config.ts';
import type { Config } from '#platform/config/config.ts';
import { runProcess, variablesOfParent } from '#platform/process.ts';
import type { Stoppable } from '#platform/process.ts';
import { start as startScheduler } from '#scheduler/main.ts';
import { withSources } from '#simulated/own.ts';
import { start as startWorkers } from '#workers/main.ts';

const start = async (given: Config): Promise<Stoppable> => {
  const { config, close } = await withSources(given);
  const context = await openContext(config, 'jobs');
  // Before the ready line: a service without airports could not calculate.
  await seedDatabase(config, context.log);
  // They share the connections, which are closed last, and the metrics.
  const shared = { ...context, close: () => Promise.resolve() };
  const hasFeeds = config.LANES.includes('ingest');
  const workers = await startWorkers(
    hasFeeds ? { ...shared, config: { ...config, METRICS_PORT: undefined } } : shared,
    config.LANES,
  );
  const scheduler = hasFeeds ? await startScheduler(shared) : null;
  return {
    stop: async () => {
      await Promise.all([scheduler?.stop(), workers.stop()]);
      await context.close();
      await close();
    },
  };
};

const variables = await variablesOfParent();
await runProcess('jobs', start, { read: () => readConfig(variables) });
