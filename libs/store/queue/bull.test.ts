import { Worker } from 'bullmq';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '#test/harness.ts';
import type { TestDatabase } from '#test/harness.ts';
import { freePort, redisNote, redisServer, startRedis } from '#test/support/redis.ts';
import type { RedisServer } from '#test/support/redis.ts';
import { createLogger } from '#platform/log/log.ts';
import { queueBehaviour, testJob } from '#test/support/queue-behaviour.ts';
import { until } from '#test/support/until.ts';
import { createPostgres } from '../postgres/pool.ts';
import { createBullAdapter } from './bull.ts';
import { createPgBossAdapter } from './pg-boss.ts';
import { connectRedis } from './redis.ts';

const log = createLogger('test', 'silent');

/** Tests whose jobs must run on Redis pass a large `waitMs`, for slow machines; tests without Redis use the default. */
const openOn = async (database: TestDatabase, redisUrl: string, waitMs = 500) => {
  const connection = { connectionString: database.url, applicationName: 'test' };
  const postgres = createPostgres({ ...connection, max: 5, statementTimeoutMs: 60_000, waitMs: 60_000 }, log);
  const fallback = await createPgBossAdapter({ ...connection, log });
  const adapter = await createBullAdapter({
    redisUrl,
    lanes: new Set(['compute']),
    fallback,
    log,
    waitMs,
  });
  return { adapter, fallback, postgres };
};

describe.skipIf(!redisServer)(`queue behaviour: BullMQ${redisNote}`, () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  queueBehaviour(async () => {
    const database = await createTestDatabase();
    const { adapter, postgres } = await openOn(database, redis.url, 60_000);
    return {
      adapter,
      postgres,
      vanishWith: async (jobName) => {
        const connection = connectRedis(redis.url, log, 'worker');
        const worker = new Worker(jobName, null, {
          connection,
          prefix: 'efb',
          lockDuration: 1_000,
          skipLockRenewal: true,
        });
        const job = await worker.getNextJob('vanished');
        if (!job) throw new Error('nothing to take');
        await worker.close(true);
        connection.disconnect();
      },
      close: async () => {
        await adapter.close();
        await postgres.close();
        await database.drop();
      },
    };
  });

  test('The jobs above ran on Redis', async () => {
    const connection = connectRedis(redis.url, log, 'worker');
    const keys = await connection.keys('efb:test.job*:meta');
    connection.disconnect();
    expect(keys.length).toBeGreaterThanOrEqual(12);
  });
});

describe.skipIf(!redisServer)(`queue without its Redis${redisNote}`, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  test('Case 12: with Redis unreachable from the start, enqueue does not wait for it and the job runs', async () => {
    const { adapter, postgres } = await openOn(database, `redis://127.0.0.1:${await freePort()}`);
    const job = testJob({ name: 'test.unreachable' });
    const got: unknown[] = [];
    const consumer = await adapter.createConsumer();
    await consumer.consume('compute', [{ contract: job, run: async (run) => void got.push(run.payload) }], 1);
    // BullMQ alone would wait indefinitely.
    await postgres.transaction((tx) => adapter.producer.enqueue(tx, job, { n: 1 }));
    await until('it runs', () => got.length);
    expect(got).toEqual([{ n: 1 }]);
    await consumer.stop(1_000);
    await adapter.close();
    await postgres.close();
  });

  test('Case 12: when Redis freezes in between, a commit does not fail, and jobs sent again afterwards run once', async () => {
    const redis = await startRedis();
    const { adapter, postgres } = await openOn(database, redis.url);
    const job = testJob({ name: 'test.frozen', dedupeKey: ({ n }) => String(n) });
    const send = (n: number) => postgres.transaction((tx) => adapter.producer.enqueue(tx, job, { n }));
    const got: unknown[] = [];
    const consumer = await adapter.createConsumer();
    await consumer.consume('compute', [{ contract: job, run: async (run) => void got.push(run.payload) }], 1);
    process.kill(redis.pid, 'SIGSTOP');
    try {
      await send(1);
    } finally {
      process.kill(redis.pid, 'SIGCONT');
    }
    // As the sweep of lost jobs does, with the id of a job that Redis accepted late.
    await until('it runs', async () => {
      await send(1);
      return got.length > 0;
    });
    await send(1);
    await until('nothing is left', async () =>
      (await adapter.counts()).every(({ waiting, active }) => waiting + active === 0),
    );
    expect(got).toEqual([{ n: 1 }]);
    await consumer.stop(1_000);
    await adapter.close();
    await postgres.close();
    await redis.stop();
  });

  test('Case 14: jobs on a frozen Redis count as queued, those on one that lost its data are lost, and none is found while it is down', async () => {
    const port = await freePort();
    const redis = await startRedis(port);
    const hurried = await openOn(database, redis.url);
    const { adapter, postgres } = await openOn(database, redis.url, 60_000);
    const job = testJob({ name: 'test.lost', dedupeKey: ({ n }) => String(n) });
    await postgres.transaction((tx) => adapter.producer.enqueue(tx, job, { n: 1 }));
    const states = async ({ find } = adapter) => Object.fromEntries(await find(job, ['1', '2']));
    expect(await states()).toEqual({ 1: 'queued' });
    process.kill(redis.pid, 'SIGSTOP');
    expect(await states(hurried.adapter)).toEqual({ 1: 'queued', 2: 'queued' });
    process.kill(redis.pid, 'SIGCONT');
    await redis.stop();
    expect(await states(hurried.adapter)).toEqual({});
    const empty = await startRedis(port);
    expect(await states()).toEqual({});
    for (const opened of [hurried, { adapter, postgres }]) {
      await opened.adapter.close();
      await opened.postgres.close();
    }
    await empty.stop();
  });
});
