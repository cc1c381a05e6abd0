/**
 * The queue as the domain sees it. Jobs run at least once, so handlers are idempotent; nothing is delivered before the
 * commit or after a rollback; failures are retried with increasing delays, then kept as dead letters with payload and
 * error.
 */
import type { z } from 'zod';

export type Lane = 'durable' | 'compute' | 'ingest';

/** How a sweep finds jobs lost by the queue. */
interface Requeue {
  everySeconds: number;
  /** Jobs are enqueued right after the commit; one still missing after this time is lost. */
  lostAfterSeconds: number;
}

/** The agreement between producers and consumers of a job. Payloads are ids, not snapshots. */
export interface JobContract<Payload extends z.ZodType = z.ZodType> {
  name: string;
  lane: Lane;
  payload: Payload;
  /** Maximum runs, including the first. */
  attempts: number;
  /** Delay before the first retry; doubles each time, with jitter. */
  backoffSeconds: number;
  timeoutSeconds: number;
  /** Jobs with the same key are delivered once, until the first has been done for an hour. */
  dedupeKey?: (payload: z.output<Payload>) => string;
  keepFailedDays: number;
  /** Required for Redis lanes, which may lose data. */
  requeue?: Requeue;
}

export const defineJob = <Payload extends z.ZodType>(contract: JobContract<Payload>): JobContract<Payload> =>
  contract;

interface EnqueueOptions {
  delaySeconds?: number;
  dedupeKey?: string;
}

/**
 * `T` is the caller's transaction, first so that forgetting it is a type error. Resolves to the job id, or null if the
 * dedupe key was already used.
 */
export interface JobProducer<T> {
  enqueue: <Payload extends z.ZodType>(
    tx: T,
    job: JobContract<Payload>,
    payload: z.input<Payload>,
    options?: EnqueueOptions,
  ) => Promise<string | null>;
}

export interface JobRun<Payload> {
  payload: Payload;
  id: string;
  /** 1 on the first run. */
  attempt: number;
  /** Aborted when the job times out or the process stops. */
  signal: AbortSignal;
}

export type JobFunction<Payload = unknown> = (run: JobRun<Payload>) => Promise<void>;

export interface JobHandler<Payload extends z.ZodType = z.ZodType> {
  contract: JobContract<Payload>;
  run: JobFunction<z.output<Payload>>;
}

export interface JobConsumer {
  /** Serves the lane with `concurrency` slots. */
  consume: (lane: Lane, handlers: readonly JobHandler[], concurrency: number) => Promise<void>;
  /** Waits for running jobs up to the limit, then aborts their signals. */
  stop: (timeoutMs: number) => Promise<void>;
}
