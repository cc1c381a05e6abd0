import { randomUUID } from 'node:crypto';
import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { JobContract, JobProducer, Lane } from '#domain/jobs/port.ts';
import { jobSent } from '#platform/metrics/activities.ts';
import type { Carrier, JobSent } from '#platform/metrics/activities.ts';
import type { Tx } from '../postgres/sql.ts';
import { jobIdOf } from './run-job.ts';
import { within } from './redis.ts';

const day = 86_400;

const bullOptionsOf = (job: JobContract, id: string, delaySeconds: number, trace: Carrier | undefined) => ({
  jobId: id,
  delay: delaySeconds * 1_000,
  attempts: job.attempts,
  // Jitter subtracts up to half: the first delay is one to two times backoffSeconds, as in Postgres.
  backoff: { type: 'exponential', delay: job.backoffSeconds * 2_000, jitter: 0.5 },
  removeOnComplete: { age: day, count: 20_000 },
  removeOnFail: { age: Math.max(job.keepFailedDays, 7) * day },
  ...(trace === undefined ? {} : { telemetry: { metadata: JSON.stringify(trace) } }),
});

interface BullProducerParts {
  redis: Redis;
  queueOf: (jobName: string) => Queue;
  lanes: ReadonlySet<Lane>;
  fallback: JobProducer<Tx>;
  log: Logger;
  /** Timeout of Redis. */
  waitMs: number;
}

/**
 * Adds to Redis after the commit; the sweep that its contract demands (`requeue`) finds jobs that Redis does not
 * accept. While Redis cannot be reached the job goes to Postgres, in the transaction. A late add may run a job twice,
 * so handlers are idempotent. The id is returned immediately; whether a dedupe key already exists is known only later,
 * so null is never returned.
 */
export const bullProducer = (parts: BullProducerParts): JobProducer<Tx> => {
  const { redis, fallback, log } = parts;
  return {
    enqueue: async (tx, job, payload, options = {}) => {
      if (!parts.lanes.has(job.lane) || redis.status !== 'ready')
        return fallback.enqueue(tx, job, payload, options);
      const parsed = job.payload.parse(payload);
      const dedupeKey = options.dedupeKey ?? job.dedupeKey?.(parsed);
      const id = dedupeKey === undefined ? randomUUID() : jobIdOf(job.name, dedupeKey);
      tx.onCommit(async () => {
        const sent: JobSent = { job: job.name, store: 'redis' };
        try {
          await jobSent.run(sent, () => {
            const bullOptions = bullOptionsOf(job, id, options.delaySeconds ?? 0, sent.trace);
            return within(parts.waitMs, parts.queueOf(job.name).add(job.name, payload, bullOptions));
          });
        } catch (error) {
          log.warn({ err: error, job: job.name, id }, 'redis did not accept the job');
        }
      });
      return id;
    },
  };
};
