import { Counter, Gauge, Histogram } from 'prom-client';
import type { Context } from '#data/context.ts';
import { createProcessMetrics } from '#data/metrics/process-metrics.ts';
import type { Services } from '../services/services.ts';

/** Prometheus metrics of one API process. `query` is a known operation name or `-`, never client input. */
export const createMetrics = (context: Context, services: Services) => {
  const { register, close } = createProcessMetrics(context);
  const requests = new Counter({
    name: 'efb_requests_total',
    help: 'Requests by operation, status and error code.',
    labelNames: ['query', 'status', 'code'],
    registers: [register],
  });
  const duration = new Histogram({
    name: 'efb_request_duration_seconds',
    help: 'Time from the complete body to the rendered answer.',
    labelNames: ['query'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [register],
  });
  new Counter({
    name: 'efb_request_log_lost_total',
    help: 'Request log entries dropped because the store was unavailable.',
    registers: [register],
    collect() {
      this.reset();
      this.inc(services.requestLog.lost());
    },
  });
  for (const [outcome, what] of [
    ['hits', 'answered from a cache'],
    ['misses', 'that loaded from the database'],
  ] as const)
    new Counter({
      name: `efb_cache_${outcome}_total`,
      help: `Lookups ${what}, by cache.`,
      labelNames: ['cache'],
      registers: [register],
      collect() {
        this.reset();
        for (const cache of Object.values(services.caches))
          this.inc({ cache: cache.name }, cache.counts()[outcome]);
      },
    });
  new Gauge({
    name: 'efb_cache_bytes',
    help: 'Estimated memory of the entries of each cache that is bounded by it.',
    labelNames: ['cache'],
    registers: [register],
    collect() {
      for (const cache of Object.values(services.caches))
        this.set({ cache: cache.name }, cache.counts().bytes);
    },
  });
  return {
    /** `code` is the error code of a failure, null for a success. */
    observe: (query: string, status: number, code: string | null, seconds: number): void => {
      requests.inc({ query, status, code: code ?? '-' });
      duration.observe({ query }, seconds);
    },
    /** All operations and error codes answered so far; code '-' for a success. */
    answered: async () =>
      (await requests.get()).values.map(({ labels }) => ({
        query: String(labels.query),
        code: String(labels.code),
      })),
    register,
    close,
  };
};

export type Metrics = ReturnType<typeof createMetrics>;
