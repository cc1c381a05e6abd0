import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { afterAll, describe, expect, test } from 'vitest';
import { feedRepo } from '#store/postgres/feeds/feeds.ts';
import { createBullAdapter } from '#store/queue/bull.ts';
import { createPgBossAdapter } from '#store/queue/pg-boss.ts';
import { takeover } from '#store/queue/run-job.ts';
import { feedRun } from '#domain/jobs/contracts.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { deepNote, isDeep } from '#test/support/deep.ts';
import { redisNote, redisServer, startRedis } from '#test/support/redis.ts';
import { until } from '#test/support/until.ts';
import { startWorker } from '#test/support/workers.ts';

const slot = '2026-09-16T04:00:00.000Z';
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** A source that leaves its first `silent` calls without an answer; `pids` are the processes that called. */
const startSource = async (silent: number) => {
  const pids: number[] = [];
  const server = createServer((request, response) => {
    pids.push(Number(new URL(request.url ?? '', 'http://source').searchParams.get('pid')));
    if (pids.length > silent) response.end('one two three');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/words`, pids };
};

const enqueueRun = async (t: TestContext, redisUrl: string | undefined) => {
  const boss = await createPgBossAdapter({
    connectionString: t.databaseUrl,
    applicationName: 'test',
    log: t.log,
  });
  const { postgres, log } = t;
  const adapter =
    redisUrl === undefined
      ? boss
      : await createBullAdapter({
          redisUrl,
          lanes: new Set(['ingest']),
          fallback: boss,
          log,
          waitMs: 30_000,
        });
  closing.push(adapter.close);
  await postgres.transaction((tx) => adapter.producer.enqueue(tx, feedRun, { feed: 'words', slot }));
};

interface Kill {
  redisUrl?: string;
  /** Called in the middle of the run, before the kill. */
  before?: (t: TestContext) => Promise<unknown>;
}

/** Two processes serve the queue; the one that runs the feed is killed. */
const killInTheMiddle = async ({ redisUrl, before }: Kill) => {
  const t = await testContext();
  closing.push(t.close);
  const source = await startSource(1);
  const env = {
    DATABASE_URL: t.databaseUrl,
    DATA_DIR: t.config.DATA_DIR,
    JWT_SECRET: t.config.JWT_SECRET.join(','),
    SAFETY_CODE: t.config.SAFETY_CODE.join(','),
    LOG_LEVEL: 'silent',
    WORDS_URL: source.url,
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
  };
  const processes = await Promise.all([1, 2].map(() => startWorker(env, 'test/support/feed-process.ts')));
  for (const { kill } of processes) closing.push(() => kill('SIGKILL'));
  await enqueueRun(t, redisUrl);
  const rows = async () => (await feedRepo(t.postgres.db).runs('words', 10)).toReversed();
  await until('the run is in the middle', () => source.pids.length === 1);
  expect(await rows()).toMatchObject([{ finishedAt: null, ok: null }]);
  await before?.(t);
  await processes.find(({ pid }) => pid === source.pids[0])?.kill('SIGKILL');
  return { source, rows };
};

const processOf = (pid: number | undefined) => `process ${pid} on ${hostname()}`;

const expectTakenOver = async ({ source, rows }: Awaited<ReturnType<typeof killInTheMiddle>>) => {
  await until('the run is done', async () => (await rows()).some(({ ok }) => ok === true));
  const [killed, done] = source.pids;
  expect(done).not.toBe(killed);
  expect(await rows()).toMatchObject([
    {
      ok: false,
      process: processOf(killed),
      error: `the process that ran this (${processOf(killed)}) was killed; taken over by ${processOf(done)}`,
    },
    { ok: true, stored: 3, error: null, process: processOf(done) },
  ]);
};

// Each waits most of its time for the heartbeats of a killed process to stop.
describe.concurrent('kill -9 of a process during a feed run', () => {
  test('On Postgres another process closes the row and takes the run over', async () => {
    await expectTakenOver(await killInTheMiddle({}));
  });

  test.skipIf(!redisServer || !isDeep)(
    `On Redis, too, another process closes the row and takes the run over${redisNote}${deepNote}`,
    async () => {
      const redis = await startRedis();
      closing.push(() => redis.stop());
      await expectTakenOver(await killInTheMiddle({ redisUrl: redis.url }));
    },
  );
});

const { postgres, redis } = takeover;
/** The longest time from the kill to the next run, where the machine has time for both. */
const longestTakeoverMs = {
  postgres: postgres.silentMs + 2 * postgres.superviseMs + postgres.pollMs,
  // The killed process may have had the last check, so that the next one is nearly two intervals later.
  redis: redis.lockMs + 2 * redis.stalledCheckMs,
};

test.each(Object.entries(longestTakeoverMs))(
  'On %s another process takes over within 15 s',
  (_driver, ms) => {
    expect(ms).toBeLessThanOrEqual(15_000);
  },
);
