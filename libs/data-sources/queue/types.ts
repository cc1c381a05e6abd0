import type { JobConsumer, JobContract, JobProducer, Lane } from '#domain/jobs/port.ts';
import type { Tx } from '../postgres/sql.ts';

/** A job that failed for good: its payload and last error stay until someone retries it or its days are over. */
export interface DeadLetter {
  id: string;
  job: string;
  payload: unknown;
  error: string;
  attempts: number;
  failedAt: Date;
}

export interface QueueCount {
  job: string;
  /** The queue that holds them; a compute job may wait in both. */
  store: 'postgres' | 'redis';
  waiting: number;
  delayed: number;
  active: number;
  dead: number;
}

/** `queued` covers waiting, delayed, running and waiting for its next attempt. */
export type JobState = 'queued' | 'done' | 'failed';

/** Finds jobs by their dedupe keys. A key that is missing in the result was never accepted, or its job is lost. */
export type FindJobs = (
  job: JobContract,
  dedupeKeys: readonly string[],
) => Promise<ReadonlyMap<string, JobState>>;

/** One queue technology: what the behaviour test is run against. */
export interface QueueAdapter {
  producer: JobProducer<Tx>;
  createConsumer: () => Promise<JobConsumer>;
  deadLetters: (limit: number) => Promise<DeadLetter[]>;
  /** Retries a dead letter. False when there is none with this id. */
  retry: (id: string) => Promise<boolean>;
  counts: () => Promise<QueueCount[]>;
  find: FindJobs;
  close: () => Promise<void>;
}

/** Everything that apps may do with the queues. */
export interface Queues {
  readonly producer: JobProducer<Tx>;
  consumer: () => Promise<JobConsumer>;
  deadLetters: (limit?: number) => Promise<DeadLetter[]>;
  retry: (id: string) => Promise<boolean>;
  counts: () => Promise<QueueCount[]>;
  /** While Redis is down, only what Postgres holds is found; while it is slow, every job on it counts as queued. */
  find: FindJobs;
  /** Where a lane's jobs go first. */
  storeOf: (lane: Lane) => QueueCount['store'];
  close: () => Promise<void>;
}
