import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import type { Postgres } from '#store/postgres/pool.ts';
import { jobRan, countGatewayCalls } from '#platform/metrics/events.ts';
import type { Context } from '../context.ts';
import { startMetricsServer } from '#platform/metrics/server.ts';
import type { MetricsServer } from '#platform/metrics/server.ts';

const runBuckets = [0.005, 0.025, 0.1, 0.5, 1, 5, 15, 60, 300];
const waitBuckets = [0.1, 0.5, 1, 2, 5, 15, 60, 300, 3_600];

/** Labels jobs with `job_name`, since Prometheus uses `job` for every target. */
const countJobs = (register: Registry): (() => void) => {
  const registers = [register];
  const runs = new Counter({
    name: 'efb_job_runs_total',
    help: 'Runs of jobs in this process by outcome; `retry` and `postponed` run again.',
    labelNames: ['job_name', 'outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'efb_job_run_duration_seconds',
    help: 'Time that runs of a job took.',
    labelNames: ['job_name'],
    buckets: runBuckets,
    registers,
  });
  const wait = new Histogram({
    name: 'efb_job_wait_seconds',
    help: 'Time from when a job was due to the start of its first run.',
    labelNames: ['job_name'],
    buckets: waitBuckets,
    registers,
  });
  return jobRan.subscribe(({ job, outcome, runSeconds, waitSeconds }) => {
    runs.inc({ job_name: job, outcome });
    duration.observe({ job_name: job }, runSeconds);
    if (waitSeconds !== null) wait.observe({ job_name: job }, waitSeconds);
  });
};

/** Metrics of every process: CPU, memory, event loop, database connections, jobs and gateway calls. */
export const createProcessMetrics = ({ postgres }: { postgres: Postgres }) => {
  const register = new Registry();
  collectDefaultMetrics({ register });
  // Gauges named like counters (`_total`); the metrics without that suffix, summed, give the same numbers.
  for (const kind of ['handles', 'requests', 'resources'])
    register.removeSingleMetric(`nodejs_active_${kind}_total`);
  new Gauge({
    name: 'efb_database_connections',
    help: 'Database connections by state: open, idle, or callers waiting for one.',
    labelNames: ['state'],
    registers: [register],
    collect() {
      for (const [state, count] of Object.entries(postgres.connections())) this.set({ state }, count);
    },
  });
  const ends = [countJobs(register), countGatewayCalls(register)];
  return { register, close: () => ends.forEach((end) => end()) };
};

/** Serves metrics on `METRICS_PORT` in a process without HTTP; `add` registers those of its tier. */
export const startMetrics = async (
  context: Context,
  add: (register: Registry) => void = () => {},
): Promise<MetricsServer> => {
  const { register, close } = createProcessMetrics(context);
  add(register);
  const server = await startMetricsServer(register, context.config);
  return {
    port: server.port,
    close: async () => {
      close();
      await server.close();
    },
  };
};
