import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Context } from '#data/context.ts';
import type { Services } from '../services/services.ts';

export interface Metrics {
  /** `code` is the error code of a failure, null for a success. */
  observe: (query: string, status: number, code: string | null, seconds: number) => void;
  /** All operations and error codes answered so far; code '-' for a success. */
  answered: () => Promise<{ query: string; code: string }[]>;
  text: () => Promise<string>;
  contentType: string;
}

/** Prometheus metrics of one API process. `query` is a known operation name or `-`, never client input. */
export const createMetrics = (context: Context, services: Services): Metrics => {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const requests = new Counter({
    name: 'efb_requests_total',
    help: 'Requests by operation, status and error code.',
    labelNames: ['query', 'status', 'code'],
    registers: [register],
  });
  const duration = new Histogram({
    name: 'efb_request_seconds',
    help: 'Time from the complete body to the rendered answer.',
    labelNames: ['query'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [register],
  });
  new Gauge({
    name: 'efb_database_connections',
    help: 'Database connections by state.',
    labelNames: ['state'],
    registers: [register],
    collect() {
      const { open, idle, waiting } = context.postgres.connections();
      this.set({ state: 'open' }, open);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  new Gauge({
    name: 'efb_request_log_lost',
    help: 'Request log entries dropped because the store was unavailable.',
    registers: [register],
    collect() {
      this.set(services.requestLog.lost());
    },
  });
  return {
    observe: (query, status, code, seconds) => {
      requests.inc({ query, status, code: code ?? '-' });
      duration.observe({ query }, seconds);
    },
    answered: async () =>
      (await requests.get()).values.map(({ labels }) => ({
        query: String(labels.query),
        code: String(labels.code),
      })),
    text: () => register.metrics(),
    contentType: register.contentType,
  };
};
