import { PgBoss } from 'pg-boss';
import { describe } from 'vitest';
import { createTestDatabase } from '#test/harness.ts';
import { createLogger } from '#platform/log/log.ts';
import { createPostgres } from '../postgres/pool.ts';
import { queueBehaviour } from '#test/support/queue-behaviour.ts';
import { setBossClockBack } from '#test/support/boss-clock.ts';
import { createPgBossAdapter } from './pg-boss.ts';

describe('queue behaviour: pg-boss', () => {
  queueBehaviour(async () => {
    const database = await createTestDatabase();
    const log = createLogger('test', 'silent');
    const connection = { connectionString: database.url, applicationName: 'test' };
    const postgres = createPostgres(
      { ...connection, max: 5, statementTimeoutMs: 60_000, waitMs: 60_000 },
      log,
    );
    const adapter = await createPgBossAdapter({ ...connection, log });
    return {
      adapter,
      postgres,
      vanishWith: async (jobName) => {
        const boss = new PgBoss({
          connectionString: database.url,
          migrate: false,
          supervise: false,
          schedule: false,
        });
        boss.on('error', () => {});
        await boss.start();
        const jobs = await boss.fetch(jobName);
        if (jobs.length !== 1) throw new Error('nothing to take');
        await boss.stop({ graceful: false });
      },
      setClockBack: (seconds) => setBossClockBack(database.url, seconds),
      close: async () => {
        await adapter.close();
        await postgres.close();
        await database.drop();
      },
    };
  });
});
