import { PgBoss } from 'pg-boss';
import { describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/harness.ts';
import { createLogger } from '#platform/log/log.ts';
import { postgresProxy } from '#test/support/postgres-proxy.ts';
import { queueBehaviour, testJob } from '#test/support/queue-behaviour.ts';
import { until } from '#test/support/until.ts';
import { createPostgres } from '../postgres/pool.ts';
import { sql } from '../postgres/sql.ts';
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
      close: async () => {
        await adapter.close();
        await postgres.close();
        await database.drop();
      },
    };
  });
});

test('Jobs continue after a server disappears without closing its connections', async () => {
  const database = await createTestDatabase();
  const log = createLogger('test', 'silent');
  const connection = { connectionString: database.url, applicationName: 'test' };
  const postgres = createPostgres({ ...connection, max: 2, statementTimeoutMs: 60_000, waitMs: 60_000 }, log);
  const proxy = await postgresProxy(database.url);
  const adapter = await createPgBossAdapter({
    ...connection,
    connectionString: `${proxy.url}?query_timeout=500`,
    log,
  });
  try {
    const job = testJob();
    const ran: unknown[] = [];
    const consumer = await adapter.createConsumer();
    await consumer.consume(
      job.lane,
      [{ contract: job, run: async ({ payload }) => void ran.push(payload) }],
      1,
    );
    const send = (n: number) => postgres.transaction((tx) => adapter.producer.enqueue(tx, job, { n }));
    await send(1);
    const isDone = sql`SELECT 1 AS done FROM pgboss.job WHERE name = ${job.name} AND state = 'completed'`;
    // Else it would be run again, since its end was lost.
    await until('the first one is done', () => postgres.db.maybe(isDone));
    proxy.silence();
    await send(2);
    await until('the second one has run', () => ran.length === 2);
    expect(ran).toEqual([{ n: 1 }, { n: 2 }]);
    await consumer.stop(1_000);
  } finally {
    await adapter.close();
    await proxy.close();
    await postgres.close();
    await database.drop();
  }
});
