/** Workers of pg-boss. */
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { UnavailableError } from '#domain/errors.ts';
import type { JobHandler } from '#domain/jobs/port.ts';
import { oneLineOf } from '#platform/one-line.ts';
import { withoutTrace } from './job-trace.ts';
import { heartbeatSeconds } from './pg-boss-rescue.ts';
import { bossTables } from './pg-boss-tables.ts';
import { runJob } from './run-job.ts';
import { takeover } from './takeover.ts';

/** Seconds between polls of the queue: announcements wake workers for new jobs, polling serves delays and retries. */
const pollSeconds = takeover.postgres.pollMs / 1_000;

/**
 * Returns a running job to its queue for a later run that is not counted as an attempt. False when the database could
 * not even store that, or another worker has the job: then it fails, or is rescued, as usual.
 */
const postponeOn = (boss: PgBoss, log: Logger) => {
  const tables = bossTables(boss);
  return async (queue: string, job: { id: string; retryCount: number }, error: UnavailableError) => {
    try {
      return await tables.postpone(queue, job, error.retryAfterSeconds, oneLineOf(error));
    } catch (failure) {
      log.warn({ err: failure, job: queue, id: job.id }, 'a job could not be postponed');
      return false;
    }
  };
};

/** Returns the ids of its workers. */
export const serve = async (
  boss: PgBoss,
  handler: JobHandler,
  concurrency: number,
  log: Logger,
): Promise<string[]> => {
  const postpone = postponeOn(boss, log);
  const workerIds: string[] = [];
  for (let slot = 0; slot < concurrency; slot++) {
    let workerId = '';
    workerId = await boss.work(
      handler.contract.name,
      {
        batchSize: 1,
        perJobResults: true,
        includeMetadata: true,
        heartbeatRefreshSeconds: heartbeatSeconds,
        pollingIntervalSeconds: pollSeconds,
      },
      async ([job]) => {
        if (!job) return [];
        const { payload, trace } = withoutTrace(job.data);
        const delivery = {
          id: job.id,
          data: payload,
          attempt: job.retryCount + 1,
          signal: job.signal,
          dueAt: job.startAfter,
          store: 'postgres' as const,
          trace,
        };
        const outcome = await runJob(handler, delivery, log);
        // A slot takes one job per wake-up and would otherwise miss the rest of a burst.
        boss.notifyWorker(workerId);
        if (outcome.kind === 'postponed' && (await postpone(handler.contract.name, job, outcome.error)))
          return [];
        if (outcome.kind === 'done') return [{ id: job.id, status: 'completed' }];
        const { name, message } = outcome.error;
        const status = outcome.kind === 'dead' ? 'deadletter' : 'failed';
        return [{ id: job.id, status, output: { name, message } }];
      },
    );
    workerIds.push(workerId);
  }
  return workerIds;
};
