import type { Logger } from 'pino';
import type { Lane } from '#domain/jobs/port.ts';
import type { Announcements } from '../announcements/announcements.ts';
import type { Postgres } from '../postgres/pool.ts';
import { applicationName } from '../postgres/processes.ts';
import { createPgBossAdapter } from './pg-boss.ts';
import type { Queues } from './types.ts';

export type { DeadLetter, QueueCount, Queues } from './types.ts';
export { migrateQueues } from './pg-boss.ts';

interface QueueConfig {
  DATABASE_URL: string;
  DATABASE_WAIT_SECONDS: number;
  REDIS_URL?: string | undefined;
  REDIS_WAIT_MS: number;
}

/** The lanes that Redis accelerates when configured; every other lane is on Postgres only. */
export const redisLanes: ReadonlySet<Lane> = new Set(['compute']);

/**
 * The queues of one process. Postgres holds every lane; with `REDIS_URL` the compute lane runs on Redis first.
 * Rejects when the queue tables do not exist (run the migrations) or the database cannot be reached.
 */
export const createQueues = async (
  config: QueueConfig,
  application: string,
  postgres: Postgres,
  log: Logger,
  announcements?: Pick<Announcements, 'hear'>,
): Promise<Queues> => {
  const boss = await createPgBossAdapter({
    connectionString: config.DATABASE_URL,
    applicationName: applicationName(application),
    waitMs: config.DATABASE_WAIT_SECONDS * 1_000,
    announcements,
    log,
  });
  const onRedis = async (redisUrl: string) => {
    // A quarter of all modules of a process; only a service with a Redis loads them.
    const { createBullAdapter } = await import('./bull.ts');
    const waitMs = config.REDIS_WAIT_MS;
    return createBullAdapter({ redisUrl, lanes: redisLanes, fallback: boss, postgres, log, waitMs });
  };
  const adapter = config.REDIS_URL === undefined ? boss : await onRedis(config.REDIS_URL);
  return {
    producer: adapter.producer,
    consumer: () => adapter.createConsumer(),
    deadLetters: (limit = 100) => adapter.deadLetters(limit),
    deadLetter: adapter.deadLetter,
    retry: adapter.retry,
    discard: adapter.discard,
    counts: () => adapter.counts(),
    find: adapter.find,
    storeOf: (lane) => (adapter !== boss && redisLanes.has(lane) ? 'redis' : 'postgres'),
    close: () => adapter.close(),
  };
};
