import type { Logger } from 'pino';
import type { Lane } from '#domain/jobs/port.ts';
import { applicationName } from '../postgres/processes.ts';
import { createPgBossAdapter } from './pg-boss.ts';
import type { Queues } from './types.ts';

interface QueueConfig {
  DATABASE_URL: string;
  DATABASE_WAIT_SECONDS: number;
  REDIS_URL?: string | undefined;
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
  log: Logger,
): Promise<Queues> => {
  const boss = await createPgBossAdapter({
    connectionString: config.DATABASE_URL,
    applicationName: applicationName(application),
    waitMs: config.DATABASE_WAIT_SECONDS * 1_000,
    log,
  });
  if (config.REDIS_URL === undefined) return boss;
  // A quarter of all modules of a process; only a service with a Redis loads them.
  const { createBullAdapter } = await import('./bull.ts');
  return createBullAdapter({ redisUrl: config.REDIS_URL, lanes: redisLanes, fallback: boss, log });
};
