import { Queue } from 'bullmq';
import type { Job } from 'bullmq';
import type { Logger } from 'pino';
import type { JobContract, Lane } from '#domain/jobs/port.ts';
import { bullConsumer } from './bull-consumer.ts';
import { bullProducer } from './bull-producer.ts';
import { connectRedis, isReadyWithin, redisAnswerMs, within } from './redis.ts';
import { jobIdOf } from './run-job.ts';
import type { DeadLetter, FindJobs, JobState, QueueAdapter, QueueCount } from './types.ts';

export interface BullOptions {
  redisUrl: string;
  /** Lanes that run on Redis; the others use the fallback directly. */
  lanes: ReadonlySet<Lane>;
  fallback: QueueAdapter;
  log: Logger;
  /** Timeout of an answer of Redis. */
  waitMs?: number;
  /** First part of every Redis key. */
  prefix?: string;
}

/**
 * Redis accelerates, Postgres guarantees: jobs of the chosen lanes are added to BullMQ after the commit, and to
 * the fallback while Redis cannot be reached. Waits at most `waitMs` for the first connection.
 */
export const createBullAdapter = async (options: BullOptions): Promise<QueueAdapter> => {
  const { lanes, fallback, log, waitMs = redisAnswerMs, prefix = 'efb' } = options;
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
    producer: bullProducer({ redis, queueOf, lanes, fallback: fallback.producer, log, waitMs }),
    createConsumer: async () =>
      bullConsumer({
        redis: connectRedis(options.redisUrl, log, 'worker'),
        prefix,
        lanes,
        fallback: await fallback.createConsumer(),
        log,
      }),
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
