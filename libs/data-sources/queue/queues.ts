import type { Logger } from 'pino';
import type { Lane } from '#domain/jobs/port.ts';
import type { Postgres } from '../postgres/pool.ts';
import { createPgBossAdapter } from './pg-boss.ts';
import type { Queues } from './types.ts';

export type { DeadLetter, QueueCount, Queues } from './types.ts';
export { migrateQueues } from './pg-boss.ts';

interface QueueConfig {
  DATABASE_URL: string;
  REDIS_URL?: string | undefined;
}

/**
 * The queues of one process. Postgres keeps every lane; with `REDIS_URL` the compute lane runs on Redis first.
 * Rejects when the queue tables are not there (run the migrations) or the database cannot be reached.
 */
export const createQueues = async (
  config: QueueConfig,
  application: string,
  _postgres: Postgres,
  log: Logger,
): Promise<Queues> => {
  const boss = await createPgBossAdapter({
    connectionString: config.DATABASE_URL,
    applicationName: application,
    log,
  });
  return {
    producer: boss.producer,
    consumer: () => boss.createConsumer(),
    deadLetters: (limit = 100) => boss.deadLetters(limit),
    retry: (id) => boss.retry(id),
    counts: () => boss.counts(),
    storeOf: (_lane: Lane) => 'postgres',
    close: () => boss.close(),
  };
};
