/** Workers of pg-boss. */
import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { JobHandler } from '#domain/jobs/port.ts';
import { oneLineOf } from '#platform/errors.ts';
import { withoutTrace, postpone } from './pg-boss-tables.ts';
import { runJob } from './run-job.ts';
import type { Outcome } from './run-job.ts';

/** Workers are woken when a job is due. */
const pollSeconds = 60;
/** Interval of the heartbeat that every worker sends for its job. */
const heartbeatSeconds = 2;
const longestBackoffSeconds = 3_600;

/** Delay of the next attempt: doubled with each, and randomly up to twice as long. */
const backoffSeconds = (base: number, retryCount: number): number =>
  Math.min(base * 2 ** retryCount * (1 + Math.random()), longestBackoffSeconds);

/** Returns the ids of its workers. */
export const serve = async (
  boss: PgBoss,
  handler: JobHandler,
  concurrency: number,
  log: Logger,
): Promise<string[]> => {
  const { contract } = handler;
  /** Schedules the next run of a job. False, so that the job fails as usual, if this cannot be stored or another worker has it. */
  const runsAgain = async (job: { id: string; retryCount: number }, outcome: Outcome): Promise<boolean> => {
    if (outcome.kind !== 'postponed' && outcome.kind !== 'retry') return false;
    const seconds =
      outcome.kind === 'postponed'
        ? outcome.error.retryAfterSeconds
        : backoffSeconds(contract.backoffSeconds, job.retryCount);
    const isCounted = outcome.kind === 'retry';
    const delay = { seconds: Math.ceil(seconds), isCounted, reason: oneLineOf(outcome.error) };
    try {
      return await postpone(boss, contract.name, job, delay);
    } catch (failure) {
      log.warn({ err: failure, job: contract.name, id: job.id }, 'a job could not be postponed');
      return false;
    }
  };
  const workerIds: string[] = [];
  for (let slot = 0; slot < concurrency; slot++) {
    let workerId = '';
    workerId = await boss.work(
      contract.name,
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
        if (outcome.kind === 'done') return [{ id: job.id, status: 'completed' }];
        if (await runsAgain(job, outcome)) return [];
        const { name, message } = outcome.error;
        const status = outcome.kind === 'dead' ? 'deadletter' : 'failed';
        return [{ id: job.id, status, output: { name, message } }];
      },
    );
    workerIds.push(workerId);
  }
  return workerIds;
};
