import { DelayedError, UnrecoverableError, Worker } from 'bullmq';
import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { JobConsumer, JobHandler, Lane } from '#domain/jobs/port.ts';
import type { Carrier } from '#platform/metrics/activities.ts';
import { takeover, runJob } from './run-job.ts';

interface BullConsumerParts {
  /** The consumer's connection; workers duplicate it for their blocking reads. */
  redis: Redis;
  prefix: string;
  lanes: ReadonlySet<Lane>;
  fallback: JobConsumer;
  log: Logger;
}

const { lockMs, stalledCheckMs } = takeover.redis;

const delay = (ms: number) => new Promise<false>((resolve) => setTimeout(() => resolve(false), ms).unref());

/** Runs one delivery and ends it at its time limit, even when the handler ignores its signal. */
const processorOf =
  (handler: JobHandler, stop: AbortSignal, log: Logger) =>
  async (job: Job, token?: string): Promise<void> => {
    const { contract } = handler;
    const limit = AbortSignal.timeout(contract.timeoutSeconds * 1_000);
    const signal = AbortSignal.any([stop, limit]);
    const attempt = job.attemptsMade + 1;
    const late = new Promise<never>((_, reject) => {
      limit.addEventListener('abort', () =>
        reject(new Error(`${contract.name} took more than ${contract.timeoutSeconds} s`)),
      );
    });
    const dueAt = new Date(job.timestamp + job.delay);
    const metadata = job.opts.telemetry?.metadata;
    const trace = metadata === undefined ? undefined : (JSON.parse(metadata) as Carrier);
    const { id = '', data } = job;
    const running = runJob(handler, { id, data, attempt, signal, dueAt, store: 'redis', trace }, log);
    const outcome = await Promise.race([running, late]);
    if (outcome.kind === 'postponed') {
      // A job that was moved is not counted as an attempt.
      await job.moveToDelayed(Date.now() + outcome.error.retryAfterSeconds * 1_000, token);
      throw new DelayedError();
    }
    if (outcome.kind === 'dead') throw new UnrecoverableError(outcome.error.message);
    if (outcome.kind === 'retry') throw outcome.error;
  };

/**
 * Serves the Redis queues of its lanes, and the Postgres queues of every lane (jobs that Redis did not accept).
 */
export const bullConsumer = (parts: BullConsumerParts): JobConsumer => {
  const { redis, fallback, log } = parts;
  const workers: Worker[] = [];
  const stopSignal = new AbortController();
  let stopping: Promise<void> | undefined;

  const stopWorkers = async (timeoutMs: number) => {
    const closed = Promise.all(workers.map((worker) => worker.close())).then(() => true as const);
    const inTime = await Promise.race([closed, delay(timeoutMs)]);
    if (!inTime) {
      stopSignal.abort(new Error('the process is stopping'));
      await Promise.race([closed, delay(500)]);
    }
    redis.disconnect();
  };

  return {
    consume: async (lane, handlers, concurrency) => {
      await fallback.consume(lane, handlers, concurrency);
      if (!parts.lanes.has(lane)) return;
      for (const handler of handlers.filter(({ contract }) => contract.lane === lane)) {
        const worker = new Worker(handler.contract.name, processorOf(handler, stopSignal.signal, log), {
          connection: redis,
          prefix: parts.prefix,
          concurrency,
          lockDuration: lockMs,
          stalledInterval: stalledCheckMs,
          maxStalledCount: handler.contract.attempts,
        });
        worker.on('error', (error) =>
          log.debug({ err: error, job: handler.contract.name }, 'redis worker error'),
        );
        workers.push(worker);
      }
    },
    stop: (timeoutMs) => {
      stopping ??= Promise.all([stopWorkers(timeoutMs), fallback.stop(timeoutMs)]).then(() => undefined);
      return stopping;
    },
  };
};
