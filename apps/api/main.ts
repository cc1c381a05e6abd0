import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createContext } from '#data/context.ts';
import type { Context } from '#data/context.ts';
import { runProcess } from '#data/process.ts';
import { createApp } from './app.ts';
import type { Metrics } from './http/metrics.ts';
import { answerMalformed } from './http/malformed.ts';
import { loadRegistry } from './registry.ts';
import type { Registry } from './registry.ts';
import { createServices } from './services/services.ts';
import type { Services } from './services/services.ts';

export interface RunningApi {
  port: number;
  server: Server;
  services: Services;
  metrics: Metrics;
  stop(): Promise<void>;
}

const stopLimitMs = 25_000;

/** Starts one API on a context: services, operations, Koa, server. `stop` closes the context, too. */
export const start = async (context: Context, registry?: Registry): Promise<RunningApi> => {
  const { config } = context;
  const services = await createServices(context);
  const app = createApp(context, services, registry ?? (await loadRegistry()));
  const handle = app.koa.callback();
  const server = createServer(
    { requestTimeout: 60_000, headersTimeout: 10_000, maxHeaderSize: 16_384, keepAliveTimeout: 15_000 },
    (request, response) => void handle(request, response),
  );
  server.on('clientError', answerMalformed);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.PORT, config.HOST, resolve);
  });
  const { port } = server.address() as AddressInfo;
  context.log.info({ host: config.HOST, port }, 'api ready');

  const stop = async () => {
    app.stopping();
    const closed = new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
    server.closeIdleConnections();
    const limit = setTimeout(() => server.closeAllConnections(), stopLimitMs);
    await closed;
    clearTimeout(limit);
    await services.close();
    await context.close();
  };
  return { port, server, services, metrics: app.metrics, stop };
};

if (import.meta.main) {
  await runProcess(
    async (config) => start(await createContext(config, 'api')),
    ({ port }) => ({ port }),
  );
}
