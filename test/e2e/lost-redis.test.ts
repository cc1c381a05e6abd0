import { afterAll, expect, test } from 'vitest';
import { Redis } from 'ioredis';
import { sql } from '#store/postgres/sql.ts';
import { graphicRender } from '#domain/jobs/contracts.ts';
import { addSeconds } from '#domain/time.ts';
import { testClock, testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { deepNote, isDeep } from '#test/support/deep.ts';
import { askPicture, insertLanding } from '#test/support/landing.ts';
import { until } from '#test/support/until.ts';
import { redisNote, redisServer, startRedis } from '#test/support/redis.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';
import { startWorker } from '#test/support/workers.ts';
import { runOnce } from '#test/support/run-once.ts';
import sweepGraphics from '#workers/jobs/sweep-graphics.ts';

const pictures = isDeep ? 40 : 6;
const manyPictures = 1_000;
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
});

/** Picture jobs waiting on Redis. */
const waitingOn = async (t: TestContext): Promise<number> => {
  const counts = await t.queues.counts();
  return counts.find(({ job, store }) => job === graphicRender.name && store === 'redis')?.waiting ?? 0;
};

const asksOf = async (t: TestContext): Promise<number[]> => {
  const rows = await t.postgres.db.any<{ asks: number }>(
    sql`SELECT DISTINCT asks FROM graphic ORDER BY asks`,
  );
  return rows.map(({ asks }) => asks);
};

const askPictures = async (t: TestContext, count: number): Promise<void> => {
  const { id: userId } = await insertBySql<{ id: number }>(t.postgres)`
    INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode)
    VALUES ('p@example.com', 'x', 'P', 'Q', 'PQR') RETURNING id`;
  await t.postgres.transaction(async (tx) => {
    for (let n = 0; n < count; n++) {
      const { publicId } = await insertLanding(tx, userId, t.clock.now());
      await askPicture(tx, t, { publicId, name: 'factored', format: 'png' }, t.clock.now());
    }
  });
};

const flush = async (url: string): Promise<void> => {
  const client = new Redis(url);
  await client.flushall();
  await client.quit();
};

const workerEnvOf = (t: TestContext, redisUrl: string) => ({
  DATABASE_URL: t.databaseUrl,
  DATA_DIR: t.config.DATA_DIR,
  JWT_SECRET: t.config.JWT_SECRET.join(','),
  SAFETY_CODE: t.config.SAFETY_CODE.join(','),
  LOG_LEVEL: 'silent',
  REDIS_URL: redisUrl,
});

test.skipIf(!redisServer)(
  `After Redis has lost its data, the next sweep queues each waiting picture once, and each is drawn once${redisNote}`,
  async () => {
    const redis = await startRedis();
    const t = await testContext({ env: { REDIS_URL: redis.url } });
    closing.push(t.close, () => redis.stop());
    await askPictures(t, pictures);
    expect(await waitingOn(t)).toBe(pictures);

    const sweep = async (slot: string) => {
      t.clock.advance(15);
      await runOnce(sweepGraphics, t, { slot });
    };
    await sweep('2026-09-16T12:00:15Z');
    expect([await waitingOn(t), await asksOf(t)]).toEqual([pictures, [1]]);

    await flush(redis.url);
    expect(await waitingOn(t)).toBe(0);
    await sweep('2026-09-16T12:00:30Z');
    expect([await waitingOn(t), await asksOf(t)]).toEqual([pictures, [2]]);
    await sweep('2026-09-16T12:00:45Z');
    expect([await waitingOn(t), await asksOf(t)]).toEqual([pictures, [2]]);

    const worker = await startWorker(workerEnvOf(t, redis.url));
    try {
      const drawn = () =>
        t.postgres.db.one<{ n: number }>(sql`SELECT count(*) AS n FROM graphic WHERE drawn_at IS NOT NULL`);
      await until('all are drawn', async () => (await drawn()).n === pictures);
    } finally {
      await worker.kill('SIGTERM');
    }
    expect(await t.queues.deadLetters()).toEqual([]);
  },
);

test.skipIf(!redisServer || !isDeep)(
  `If Redis loses more pictures than one sweep page, one sweep still queues all of them again${redisNote}${deepNote}`,
  async () => {
    const redis = await startRedis();
    const t = await testContext({ env: { REDIS_URL: redis.url } });
    closing.push(t.close, () => redis.stop());
    await askPictures(t, manyPictures);
    await flush(redis.url);
    t.clock.advance(15);
    await runOnce(sweepGraphics, t, { slot: '2026-09-16T12:00:15Z' });
    expect(await waitingOn(t)).toBe(manyPictures);
    // Requested before the clock goes back: from then on it is in the future.
    await flush(redis.url);
    t.clock.advance(-7_200);
    await runOnce(sweepGraphics, t, { slot: '2026-09-16T10:00:15Z' });
    expect(await waitingOn(t)).toBe(manyPictures);
  },
);

test.skipIf(!redisServer || !isDeep)(
  `If Redis loses its data while workers run, their next sweep queues everything again${redisNote}${deepNote}`,
  async () => {
    const redis = await startRedis();
    const now = new Date();
    const t = await testContext({ clock: testClock(now), env: { REDIS_URL: redis.url } });
    closing.push(t.close, () => redis.stop());
    await askPictures(t, pictures);
    // As if workers had run before, so that the sweeps of this minute are due at the start.
    await runSql(t.postgres)`
      INSERT INTO tick (name, slot) VALUES (${sweepGraphics.contract.name}, ${addSeconds(now, -120)})`;
    // No worker draws, so that requeued jobs remain visible.
    const worker = await startWorker({ ...workerEnvOf(t, redis.url), LANES: 'durable' });
    try {
      await flush(redis.url);
      // A sweep may be running already.
      await until('all are queued again', async () => (await waitingOn(t)) === pictures);
      expect(await asksOf(t)).toEqual([2]);
    } finally {
      await worker.kill('SIGTERM');
    }
  },
);
