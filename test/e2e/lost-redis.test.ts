import { afterAll, expect, test } from 'vitest';
import { Redis } from 'ioredis';
import { sql } from '#data/postgres/sql.ts';
import { graphicRender } from '#domain/jobs/graphic-render.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { askPicture, insertLanding } from '#test/support/landing.ts';
import { until } from '#test/support/until.ts';
import { redisNote, redisServer, startRedis } from '#test/support/redis.ts';
import { insertBySql } from '#test/support/sql.ts';
import { startWorker } from '#test/support/workers.ts';
import { runOnce } from '#workers/run-once.ts';
import sweepGraphics from '#workers/jobs/sweep-graphics.ts';

const pictures = 40;
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

test.skipIf(!redisServer)(
  `Redis loses its data: the next sweep queues every waiting picture again, once, and all are drawn once${redisNote}`,
  async () => {
    const redis = await startRedis();
    const t = await testContext({ env: { REDIS_URL: redis.url } });
    closing.push(t.close, () => redis.stop());
    const { id: userId } = await insertBySql<{ id: number }>(t.postgres)`
      INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode, api_key)
      VALUES ('p@example.com', 'x', 'P', 'Q', 'PQR', 'API-TEST-TEST-TEST') RETURNING id`;
    await t.postgres.transaction(async (tx) => {
      for (let n = 0; n < pictures; n++) {
        const { publicId } = await insertLanding(tx, userId, t.clock.now());
        await askPicture(tx, t, { publicId, name: 'factored', format: 'png' }, t.clock.now());
      }
    });
    expect(await waitingOn(t)).toBe(pictures);

    const sweep = async (slot: string) => {
      t.clock.advance(15);
      await runOnce(sweepGraphics, t, { slot });
    };
    await sweep('2026-09-16T12:00:15Z');
    expect([await waitingOn(t), await asksOf(t)]).toEqual([pictures, [1]]);

    const client = new Redis(redis.url);
    await client.flushall();
    await client.quit();
    expect(await waitingOn(t)).toBe(0);
    await sweep('2026-09-16T12:00:30Z');
    expect([await waitingOn(t), await asksOf(t)]).toEqual([pictures, [2]]);
    await sweep('2026-09-16T12:00:45Z');
    expect([await waitingOn(t), await asksOf(t)]).toEqual([pictures, [2]]);

    const worker = await startWorker({
      DATABASE_URL: t.databaseUrl,
      DATA_DIR: t.config.DATA_DIR,
      JWT_SECRET: t.config.JWT_SECRET.join(','),
      SAFETY_CODE: t.config.SAFETY_CODE,
      LOG_LEVEL: 'silent',
      REDIS_URL: redis.url,
    });
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
