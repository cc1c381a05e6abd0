/**
 * The queue as the domain sees it. At least once, so handlers are idempotent; nothing is delivered before the
 * transaction commits nor when it rolls back; failures are retried with increasing delays, then kept as dead
 * letters with payload and error.
 */
import type { z } from 'zod';

export type Lane = 'durable' | 'compute' | 'ingest';

/** How a sweep finds jobs that their queue has lost. */
interface Requeue {
  everySeconds: number;
  /** A job is added right after the commit that enqueues it; one that is still missing after this time is lost. */
  lostAfterSeconds: number;
}

/** What producers and consumers of one job agree on. Payloads are ids, not snapshots. */
export interface JobContract<Payload extends z.ZodType = z.ZodType> {
  name: string;
  lane: Lane;
  payload: Payload;
  /** Total number of runs, including the first. */
  attempts: number;
  /** Delay before the first retry; it doubles, with jitter. */
  backoffSeconds: number;
  timeoutSeconds: number;
  /** Jobs with the same key within the retention period are delivered once. */
  dedupeKey?: (payload: z.output<Payload>) => string;
  keepFailedDays: number;
  /** Required on a lane of Redis, which may lose its data. */
  requeue?: Requeue;
}

export const defineJob = <Payload extends z.ZodType>(contract: JobContract<Payload>): JobContract<Payload> =>
  contract;

interface EnqueueOptions {
  delaySeconds?: number;
  dedupeKey?: string;
}

/**
 * `T` is the caller's transaction, the first argument so that forgetting it is a type error.
 * Resolves to the job's id, or null when the same dedupe key was already accepted.
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
  /** Starts serving the lane with `concurrency` slots. */
  consume: (lane: Lane, handlers: readonly JobHandler[], concurrency: number) => Promise<void>;
  /** Waits for running jobs up to the limit, then aborts their signals. */
  stop: (timeoutMs: number) => Promise<void>;
}
