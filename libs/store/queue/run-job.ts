import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { JobHandler } from '#domain/jobs/port.ts';
import { ReportedError, UnavailableError, UnrecoverableError } from '#domain/errors.ts';
import { jobReceived } from '#platform/metrics/activities.ts';
import type { Carrier, JobReceived, JobStore } from '#platform/metrics/activities.ts';
import { jobRan } from '#platform/metrics/events.ts';
import { isUpstreamError } from '#domain/source-error.ts';
import { oneLineOf } from '#platform/errors.ts';

/** How soon a driver notices that the process of a running job was killed, in milliseconds. */
export const takeover = {
  postgres: {
    /** A job without a heartbeat for this long belongs to a killed process: the minimum of pg-boss. */
    silentMs: 10_000,
    /** In each interval one of the processes checks for such jobs. */
    superviseMs: 1_000,
    /** Each process asks for due jobs this often: new ones, delayed ones, retries. */
    pollMs: 200,
  },
  redis: {
    /** The lock of a running job, renewed at half of it. */
    lockMs: 7_000,
    /** A check after the lock has ended moves the job; of several workers, one checks in each interval. */
    stalledCheckMs: 2_000,
  },
} as const;

/** A UUID (version 8, SHA-256) made from job name and dedupe key: the same pair gives the same id in both queues. */
export const jobIdOf = (jobName: string, dedupeKey: string): string => {
  const bytes = createHash('sha256').update(`${jobName}\n${dedupeKey}`).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

interface Delivery {
  id: string;
  data: unknown;
  attempt: number;
  signal: AbortSignal;
  /** When the first run was due. */
  dueAt: Date;
  store: JobStore;
  /** Trace of the request that enqueued the job. */
  trace?: Carrier | undefined;
}

/**
 * `retry` counts as one attempt; `dead` goes to the dead letters immediately; `postponed` runs again later without
 * counting, because a dependency is temporarily unavailable.
 */
export type Outcome =
  | { kind: 'done' }
  | { kind: 'retry' | 'dead'; error: Error }
  | { kind: 'postponed'; error: UnavailableError };

const run = async (handler: JobHandler, delivery: Delivery, log: Logger): Promise<Outcome> => {
  const { contract } = handler;
  const { id, attempt, signal } = delivery;
  const payload = contract.payload.safeParse(delivery.data);
  if (!payload.success) {
    const error = new UnrecoverableError(`payload of ${contract.name} is invalid: ${payload.error.message}`);
    log.error({ job: contract.name, id, err: error }, 'job payload refused');
    return { kind: 'dead', error };
  }
  try {
    await handler.run({ payload: payload.data, id, attempt, signal });
    return { kind: 'done' };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    if (error instanceof UnavailableError && !error.mayBeCausedByRequest) {
      log.warn({ job: contract.name, id, attempt, error: oneLineOf(error) }, 'job postponed');
      return { kind: 'postponed', error };
    }
    const kind = error instanceof UnrecoverableError || attempt >= contract.attempts ? 'dead' : 'retry';
    const level = error instanceof ReportedError ? 'debug' : kind === 'dead' ? 'error' : 'warn';
    const logged = isUpstreamError(error) ? { error: oneLineOf(error) } : { err: error };
    log[level]({ job: contract.name, id, attempt, ...logged }, `job failed: ${kind}`);
    return { kind, error };
  }
};

let running = 0;

/** Logs how many jobs of this process a stop has to wait for; nothing when there are none. */
export const reportRunningJobs = (log: Logger): void => {
  if (running > 0) log.info(`stopping …, waiting for ${running} ${running === 1 ? 'job' : 'jobs'}`);
};

const counted: typeof run = async (...delivery) => {
  running += 1;
  try {
    return await run(...delivery);
  } finally {
    running -= 1;
  }
};

/** Runs one delivery through payload check and handler; never throws. Shared by both queues. */
export const runJob = async (handler: JobHandler, delivery: Delivery, log: Logger): Promise<Outcome> => {
  const started = performance.now();
  const waitSeconds =
    delivery.attempt > 1 ? null : Math.max(0, (Date.now() - delivery.dueAt.getTime()) / 1_000);
  const { id, data: payload, attempt, store, trace } = delivery;
  const received: JobReceived = { job: handler.contract.name, store, id, attempt, payload, trace };
  const outcome = await jobReceived.run(received, async () => {
    const ended = await counted(handler, delivery, log);
    received.outcome = ended.kind;
    if (ended.kind !== 'done') received.error = ended.error;
    return ended;
  });
  const runSeconds = (performance.now() - started) / 1_000;
  jobRan.publish({ job: handler.contract.name, outcome: outcome.kind, waitSeconds, runSeconds });
  return outcome;
};
