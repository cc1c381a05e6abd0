import type { Server } from 'node:http';
import type { Config } from '#platform/config/config.ts';
import { openContext } from '#data/context.ts';
import type { Context } from '#data/context.ts';
import { startMetricsServer } from '#platform/metrics/server.ts';
import { readyLevel, runProcess } from '#platform/process.ts';
import type { Stoppable } from '#platform/process.ts';
import { createApp } from './app.ts';
import type { Metrics } from './http/metrics.ts';
import { createHttpServer } from './http/server.ts';
import { sweepUploads } from './http/uploads.ts';
import { loadRegistries } from './registry.ts';
import type { Registry } from './registry.ts';
import { createServices } from './services/services.ts';
import type { Services } from './services/services.ts';
import { warmUp } from './warm-up.ts';

export interface RunningApi extends Stoppable {
  port: number;
  /** Port of `/metrics`; null without one. */
  metricsPort: number | null;
  server: Server;
  services: Services;
  metrics: Metrics;
}

/**
 * Time for requests in progress after the listener has closed: with the pause before it, less than 10 s in
 * total.
 */
const stopLimitMs = 5_500;

interface StartOptions {
  /** Replaces the service's queries, for tests. */
  registry?: Registry;
  /** True in production, where other processes answer until this one is ready; tests start cold. */
  isWarmedUp?: boolean;
}

/** Starts an API process: services, operations, Koa, server. `stop` also closes the context. */
export const start = async (
  context: Context,
  { registry, isWarmedUp }: StartOptions = {},
): Promise<RunningApi> => {
  const { config } = context;
  const services = await createServices(context);
  const endSweep = await sweepUploads({ ...context, pieces: services.pieces });
  const loaded = await loadRegistries();
  const registries = registry ? { ...loaded, queries: registry } : loaded;
  // Before anything is counted.
  if (isWarmedUp) await warmUp(context, services, registries.queries);
  const app = createApp(context, services, registries);
  const handle = app.koa.callback();
  const front = createHttpServer((request, response) => void handle(request, response));
  const metricsServer = await startMetricsServer(app.metrics.register, config);
  const port = await front.listen(config.PORT, config.HOST);
  context.log[readyLevel()]({ host: config.HOST, port, metricsPort: metricsServer.port }, 'api ready');

  return {
    port,
    metricsPort: metricsServer.port,
    server: front.server,
    services,
    metrics: app.metrics,
    stop: async () => {
      app.stopping();
      const drainMs = config.SHUTDOWN_DRAIN_SECONDS * 1_000;
      // Long-polling clients reconnect, after this pause to another process.
      const release = setTimeout(services.waiting.stop, drainMs);
      await front.stop({ drainMs, limitMs: stopLimitMs });
      clearTimeout(release);
      await metricsServer.close();
      app.metrics.close();
      endSweep();
      await services.close();
      await context.close();
    },
  };
};

/** With the addresses of simulated sources if they are configured and no other process runs them. */
export const startConfigured = async (given: Config, options: StartOptions = {}): Promise<RunningApi> => {
  if (given.SOURCES !== 'simulated') return start(await openContext(given, 'api'), options);
  const { withSources } = await import('#simulated/own.ts');
  const { config, close } = await withSources(given);
  const running = await start(await openContext(config, 'api'), options);
  return {
    ...running,
    stop: async () => {
      await running.stop();
      await close();
    },
  };
};

if (import.meta.main)
  await runProcess('api', (config) => startConfigured(config, { isWarmedUp: true }), {
    details: ({ port }) => ({ port }),
  });
