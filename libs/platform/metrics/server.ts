import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { codeOf } from '#domain/errors.ts';
import { OperatorError } from '../errors.ts';

export interface MetricsServer {
  /** Null without `METRICS_PORT`. */
  port: number | null;
  close: () => Promise<void>;
}

/** `GET /metrics` on a port of its own: metrics are for the operator and never on the public port. */
export const startMetricsServer = async (
  register: Registry,
  config: { HOST: string; METRICS_PORT?: number | undefined },
): Promise<MetricsServer> => {
  const { HOST: host, METRICS_PORT: wanted } = config;
  if (wanted === undefined) return { port: null, close: () => Promise.resolve() };
  const server = createServer((request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    register.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': register.contentType }).end(text),
      (error: unknown) => response.destroy(error instanceof Error ? error : new Error(String(error))),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        codeOf(error) === 'EADDRINUSE'
          ? new OperatorError(`METRICS_PORT: ${wanted} is in use on ${host}.`)
          : error,
      ),
    );
    server.listen(wanted, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
