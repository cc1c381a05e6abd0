import type { Registry } from 'prom-client';
import type { Context } from '../context.ts';
import { createProcessMetrics } from './process-metrics.ts';
import { startMetricsServer } from '#platform/metrics/server.ts';
import type { MetricsServer } from '#platform/metrics/server.ts';

/** Metrics of a process without HTTP otherwise, on `METRICS_PORT`; `add` registers those of its tier. */
export const startMetrics = async (
  context: Context,
  add: (register: Registry) => void = () => {},
): Promise<MetricsServer> => {
  const metrics = createProcessMetrics(context);
  add(metrics.register);
  const server = await startMetricsServer(metrics, context.config);
  return {
    port: server.port,
    close: async () => {
      metrics.close();
      await server.close();
    },
  };
};
