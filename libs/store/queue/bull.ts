import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DelayedError, Queue, UnrecoverableError, Worker } from 'bullmq';
import type { Job } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { JobConsumer, JobContract, JobHandler, JobProducer, Lane } from '#domain/jobs/port.ts';
import { jobSent } from '#platform/metrics/activities.ts';
import type { Carrier, JobSent } from '#platform/metrics/activities.ts';
import type { Tx } from '../postgres/sql.ts';
import { connectRedis, isReadyWithin, redisAnswerMs, within } from './redis.ts';
import { jobIdOf, runJob, takeover } from './run-job.ts';
import type { DeadLetter, FindJobs, JobState, Queues, QueueCount } from './types.ts';

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

export interface BullOptions {
  redisUrl: string;
  /** Lanes that run on Redis. */
  lanes: ReadonlySet<Lane>;
  /** Has the other lanes, and jobs that Redis does not accept. */
  fallback: Queues;
  log: Logger;
  /** Timeout of an answer of Redis. */
  waitMs?: number;
}

/** First part of every Redis key. */
const prefix = 'efb';

/**
 * Adds to Redis after the commit; the sweep that its contract demands (`requeue`) finds jobs that Redis does not
 * accept. While Redis cannot be reached the job goes to Postgres, in the transaction. A late add may run a job twice,
 * so handlers are idempotent. The id is returned immediately; whether a dedupe key already exists is known only later,
 * so null is never returned.
 */
const bullProducer = (
  redis: Redis,
  queueOf: (jobName: string) => Queue,
  { lanes, fallback: { producer: fallback }, log, waitMs = redisAnswerMs }: BullOptions,
): JobProducer<Tx> => ({
  enqueue: async (tx, job, payload, options = {}) => {
    if (!lanes.has(job.lane) || redis.status !== 'ready') return fallback.enqueue(tx, job, payload, options);
    const parsed = job.payload.parse(payload);
    const dedupeKey = options.dedupeKey ?? job.dedupeKey?.(parsed);
    const id = dedupeKey === undefined ? randomUUID() : jobIdOf(job.name, dedupeKey);
    tx.onCommit(async () => {
      const sent: JobSent = { job: job.name, store: 'redis' };
      try {
        await jobSent.run(sent, () => {
          const bullOptions = bullOptionsOf(job, id, options.delaySeconds ?? 0, sent.trace);
          return within(waitMs, queueOf(job.name).add(job.name, payload, bullOptions));
        });
      } catch (error) {
        log.warn({ err: error, job: job.name, id }, 'redis did not accept the job');
      }
    });
    return id;
  },
});

const { lockMs, stalledCheckMs } = takeover.redis;

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
const bullConsumer = async ({
  redisUrl,
  lanes,
  fallback: adapter,
  log,
}: BullOptions): Promise<JobConsumer> => {
  // Workers duplicate it for their blocking reads.
  const redis = connectRedis(redisUrl, log, 'worker');
  const fallback = await adapter.createConsumer();
  const workers: Worker[] = [];
  const stopSignal = new AbortController();
  let stopping: Promise<void> | undefined;

  const stopWorkers = async (timeoutMs: number) => {
    const closed = Promise.all(workers.map((worker) => worker.close())).then(() => true as const);
    const inTime = await Promise.race([closed, sleep(timeoutMs, false, { ref: false })]);
    if (!inTime) {
      stopSignal.abort(new Error('the process is stopping'));
      await Promise.race([closed, sleep(500, false, { ref: false })]);
    }
    redis.disconnect();
  };

  return {
    consume: async (lane, handlers, concurrency) => {
      await fallback.consume(lane, handlers, concurrency);
      if (!lanes.has(lane)) return;
      for (const handler of handlers.filter(({ contract }) => contract.lane === lane)) {
        const worker = new Worker(handler.contract.name, processorOf(handler, stopSignal.signal, log), {
          connection: redis,
          prefix,
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

/**
 * Redis accelerates, Postgres guarantees: jobs of its lanes are added to BullMQ after the commit, and to
 * the fallback while Redis cannot be reached. Waits at most `waitMs` for the first connection.
 */
export const createBullAdapter = async (options: BullOptions): Promise<Queues> => {
  const { lanes, fallback, log, waitMs = redisAnswerMs } = options;
  const redis = connectRedis(options.redisUrl, log, 'producer');
  const queues = new Map<string, Queue>();
  const queueOf = (name: string): Queue => {
    let queue = queues.get(name);
    if (!queue) {
      queue = new Queue(name, { connection: redis, prefix, skipWaitingForReady: true });
      queue.on('error', (error) => log.debug({ err: error, queue: name }, 'redis queue error'));
      queues.set(name, queue);
    }
    return queue;
  };
  await isReadyWithin(redis, waitMs);

  /** All queues ever used, including by other processes. */
  const allQueues = async (): Promise<Queue[]> => {
    if (redis.status !== 'ready') return [];
    const names = new Set<string>();
    for await (const keys of redis.scanStream({ match: `${prefix}:*:meta`, count: 500 })) {
      for (const key of keys as string[]) names.add(key.slice(prefix.length + 1, -':meta'.length));
    }
    return [...names].sort().map(queueOf);
  };

  const letterOf = (job: Job): DeadLetter => ({
    id: job.id ?? '',
    job: job.queueName,
    payload: job.data as unknown,
    error: job.failedReason ?? '',
    attempts: job.attemptsMade,
    failedAt: new Date(job.finishedOn ?? job.timestamp),
  });

  const deadOf = async (queue: Queue, limit: number): Promise<DeadLetter[]> =>
    (await queue.getFailed(0, limit - 1)).map(letterOf);

  const failedJob = async (id: string): Promise<Job | null> => {
    for (const queue of await allQueues()) {
      const job = (await queue.getJob(id)) as Job | undefined;
      if (job && (await job.isFailed())) return job;
    }
    return null;
  };

  const countOf = async (queue: Queue): Promise<QueueCount> => {
    const counts = await queue.getJobCounts('waiting', 'prioritized', 'delayed', 'active', 'failed');
    return {
      job: queue.name,
      store: 'redis',
      waiting: (counts['waiting'] ?? 0) + (counts['prioritized'] ?? 0),
      delayed: counts['delayed'] ?? 0,
      active: counts['active'] ?? 0,
      dead: counts['failed'] ?? 0,
    };
  };

  const stateOf = (state: string): JobState => {
    if (state === 'completed') return 'done';
    return state === 'failed' ? 'failed' : 'queued';
  };

  /** Jobs on Redis. While it is down there are none; while it is slow to answer, all count as queued. */
  const statesOf = async (job: JobContract, keys: readonly string[]): Promise<[string, JobState][]> => {
    // A connection that is briefly being re-established is not an outage.
    if (!lanes.has(job.lane) || keys.length === 0 || !(await isReadyWithin(redis, waitMs))) return [];
    const queue = queueOf(job.name);
    // Sent together, so that many keys take one round trip.
    const asking = keys.map(async (key) => [key, await queue.getJobState(jobIdOf(job.name, key))] as const);
    try {
      const states = await within(waitMs, Promise.all(asking));
      return states.flatMap(([key, state]) => (state === 'unknown' ? [] : [[key, stateOf(state)]]));
    } catch (error) {
      log.warn({ err: error, job: job.name }, 'redis jobs could not be read');
      return keys.map((key) => [key, 'queued']);
    }
  };

  const find: FindJobs = async (job, dedupeKeys) => {
    const found = new Map(await fallback.find(job, dedupeKeys));
    for (const [key, state] of await statesOf(job, dedupeKeys)) {
      if (found.get(key) !== 'queued') found.set(key, state);
    }
    return found;
  };

  return {
    producer: bullProducer(redis, queueOf, options),
    createConsumer: () => bullConsumer(options),
    deadLetters: async (limit = 100) => {
      const own = await Promise.all((await allQueues()).map((queue) => deadOf(queue, limit)));
      return [...own.flat(), ...(await fallback.deadLetters(limit))]
        .toSorted((a, b) => b.failedAt.getTime() - a.failedAt.getTime())
        .slice(0, limit);
    },
    deadLetter: async (id) => {
      const job = await failedJob(id);
      return job ? letterOf(job) : fallback.deadLetter(id);
    },
    retry: async (tx, id) => {
      const job = await failedJob(id);
      if (!job) return fallback.retry(tx, id);
      await job.retry('failed', { resetAttemptsMade: true });
      return true;
    },
    discard: async (tx, id) => {
      const job = await failedJob(id);
      if (!job) return fallback.discard(tx, id);
      await job.remove();
      return true;
    },
    counts: async () => [
      ...(await Promise.all((await allQueues()).map(countOf))),
      ...(await fallback.counts()),
    ],
    find,
    close: async () => {
      redis.disconnect();
      await fallback.close();
    },
  };
};
