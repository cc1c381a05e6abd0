import type { JobConsumer, JobContract, JobProducer } from '#domain/jobs/port.ts';
import type { Tx } from '../postgres/sql.ts';

/** A job that failed for good: its payload and last error are kept until it is retried or expires. */
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
  /** The queue that has it; a compute job may be in both. */
  store: 'postgres' | 'redis';
  waiting: number;
  delayed: number;
  active: number;
  dead: number;
}

/** `queued` covers waiting, delayed, running and waiting for its next attempt. */
export type JobState = 'queued' | 'done' | 'failed';

/** Finds jobs by dedupe key. A key that is missing in the result was never accepted, or its job is lost. */
export type FindJobs = (
  job: JobContract,
  dedupeKeys: readonly string[],
) => Promise<ReadonlyMap<string, JobState>>;

/** The queues as the apps see them; also one queue technology, as tested by the behaviour tests. */
export interface Queues {
  producer: JobProducer<Tx>;
  createConsumer: () => Promise<JobConsumer>;
  deadLetters: (limit?: number) => Promise<DeadLetter[]>;
  /** The dead letter with this id, or null. */
  deadLetter: (id: string) => Promise<DeadLetter | null>;
  /** Retries a dead letter, on Postgres as part of the transaction. False when there is none with this id. */
  retry: (tx: Tx, id: string) => Promise<boolean>;
  /** Deletes a dead letter, on Postgres as part of the transaction. False when there is none with this id. */
  discard: (tx: Tx, id: string) => Promise<boolean>;
  counts: () => Promise<QueueCount[]>;
  /** While Redis is down, only jobs on Postgres are found; while it is slow to answer, every job on it counts as queued. */
  find: FindJobs;
  close: () => Promise<void>;
}
