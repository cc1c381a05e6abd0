import type { Queue } from 'pg-boss';
import type { JobContract } from '#domain/jobs/port.ts';
import { takeover } from './takeover.ts';

/** Queue of jobs that failed for good. */
export const deadQueue = 'dead';

const day = 86_400;

/** Queue settings of one job, from its contract. */
export const queueOptionsOf = (job: JobContract): Omit<Queue, 'name'> => ({
  // A notification in the transaction makes commits take turns: workers are woken after it (ADR 170).
  notify: false,
  retryLimit: job.attempts - 1,
  // Of jobs whose process was killed; those that failed wait by their contract (pg-boss-serve.ts).
  retryDelay: 0,
  retryBackoff: false,
  deadLetter: deadQueue,
  heartbeatSeconds: takeover.postgres.silentMs / 1_000,
  expireInSeconds: job.timeoutSeconds,
  deleteAfterSeconds: 7 * day,
  // Also the retention of the copy among the dead letters.
  retentionSeconds: Math.max(job.keepFailedDays, 7) * day,
});
