import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import webhookDeliver from '#workers/jobs/webhook-deliver.ts';
import { queueMail } from '#commands/mail.ts';
import { sql } from '#store/postgres/sql.ts';
import { until } from '#test/support/until.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { deepNote, isDeep } from '#test/support/deep.ts';
import { askPicture, insertLanding } from '#test/support/landing.ts';
import { redisNote, redisServer, startRedis } from '#test/support/redis.ts';
import { startWorker } from '#test/support/workers.ts';
import type { WorkerProcess } from '#test/support/workers.ts';
import { insertBySql, runSql } from '#test/support/sql.ts';

const each = isDeep ? 50 : 12;
/** Effects after which the worker is killed. */
const kills = isDeep ? [0.6 * each, 1.4 * each] : [each];
/** An idle machine takes 15 s; on a busy one, the time taken so far shows how slow it is. */
const recoveryLimitMs = (beforeMs: number): number => Math.max(60_000, 3 * beforeMs);

/** Every write of an effect, even a repeated one, is one row here. */
const watchEffects = async (t: TestContext) => {
  await runSql(t.postgres)`CREATE TABLE seen_effect (key text NOT NULL)`;
  await runSql(t.postgres)`
    CREATE FUNCTION see_graphic() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO seen_effect VALUES (NEW.path); RETURN NULL; END'`;
  await runSql(t.postgres)`
    CREATE TRIGGER see AFTER INSERT OR UPDATE ON graphic FOR EACH ROW WHEN (NEW.path IS NOT NULL)
    EXECUTE FUNCTION see_graphic()`;
  await runSql(t.postgres)`
    CREATE FUNCTION see_mail() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO seen_effect VALUES (NEW.key); RETURN NULL; END'`;
  await runSql(t.postgres)`
    CREATE TRIGGER see AFTER UPDATE ON outgoing_mail FOR EACH ROW WHEN (NEW.sent_at IS NOT NULL)
    EXECUTE FUNCTION see_mail()`;
};

const effects = async (t: TestContext) =>
  t.postgres.db.one<{ all: number; different: number }>(
    sql`SELECT count(*) AS all, count(DISTINCT key) AS different FROM seen_effect`,
  );

/** Enqueues this many mails and pictures, each with its job in one transaction. */
const enqueueAll = async (t: TestContext) => {
  const { id: userId } = await insertBySql<{ id: number }>(t.postgres)`
    INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode)
    VALUES ('p@example.com', 'x', 'P', 'Q', 'PQR') RETURNING id`;
  const createdAt = t.clock.now();
  await t.postgres.transaction(async (tx) => {
    for (let n = 0; n < each; n++) {
      await queueMail(tx, t, {
        key: `mail-${n}`,
        to: 'p@example.com',
        subject: `${n}`,
        text: 'Hello',
        createdAt,
      });
      const { publicId } = await insertLanding(tx, userId, createdAt);
      await askPicture(tx, t, { publicId, name: 'factored', format: 'png' }, createdAt);
    }
  });
};

const killInTheMiddle = async (t: TestContext, redisUrl?: string) => {
  await watchEffects(t);
  const env = {
    DATABASE_URL: t.databaseUrl,
    DATA_DIR: t.config.DATA_DIR,
    JWT_SECRET: t.config.JWT_SECRET.join(','),
    SAFETY_CODE: t.config.SAFETY_CODE.join(','),
    LOG_LEVEL: 'silent',
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
  };
  const startedAt = performance.now();
  let worker: WorkerProcess = await startWorker(env);
  const inHand = async () => (await t.queues.counts()).reduce((sum, count) => sum + count.active, 0);
  try {
    await enqueueAll(t);
    let abandoned = 0;
    let killedAt = 0;
    for (const mark of kills) {
      await until(`${mark} effects`, async () => (await effects(t)).all >= mark);
      await worker.kill('SIGKILL');
      killedAt = performance.now();
      abandoned += await inHand();
      worker = await startWorker(env);
    }
    const wanted = 2 * each;
    await until('all are done', async () => (await effects(t)).different === wanted);
    const recoveryMs = performance.now() - killedAt;
    await until('no job is running', async () => (await inHand()) === 0);
    return { abandoned, recoveryMs, limitMs: recoveryLimitMs(killedAt - startedAt) };
  } finally {
    await worker.kill('SIGTERM');
  }
};

const expectAllOnce = async (t: TestContext, abandoned: number) => {
  // Otherwise the kill hit idle workers and the test proves nothing.
  expect(abandoned).toBeGreaterThan(0);
  expect(await effects(t)).toEqual({ all: 2 * each, different: 2 * each });
  const outbox = await readdir(join(t.config.DATA_DIR, 'outbox'));
  expect(outbox.filter((name) => name.endsWith('.eml'))).toHaveLength(each);
  const claimed = await t.postgres.db.one<{ n: number }>(
    sql`SELECT count(*) AS n FROM effect WHERE kind = 'mail'`,
  );
  expect(claimed.n).toBe(each);
  // Scheduled jobs with a single attempt may have failed; they run again in their next slot.
  const letters = await t.queues.deadLetters();
  expect(letters.filter(({ job }) => job !== webhookDeliver.contract.name)).toEqual([]);
};

describe.concurrent('kill -9 of a worker while it sends mails and draws pictures', () => {
  const closing: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closing) await close();
  });

  test('On Postgres all jobs are soon done, none of them twice', async () => {
    const t = await testContext();
    closing.push(t.close);
    const outcome = await killInTheMiddle(t);
    expect(outcome.recoveryMs).toBeLessThan(outcome.limitMs);
    await expectAllOnce(t, outcome.abandoned);
  });

  test.skipIf(!redisServer || !isDeep)(
    `On Redis, too, all jobs are soon done, none of them twice${redisNote}${deepNote}`,
    async () => {
      const redis = await startRedis();
      const t = await testContext({ env: { REDIS_URL: redis.url } });
      closing.push(t.close, () => redis.stop());
      const outcome = await killInTheMiddle(t, redis.url);
      expect(outcome.recoveryMs).toBeLessThan(outcome.limitMs);
      await expectAllOnce(t, outcome.abandoned);
    },
  );

  test('SIGTERM waits for running jobs and leaves none behind', async () => {
    const t = await testContext();
    closing.push(t.close);
    await watchEffects(t);
    const worker = await startWorker({
      DATABASE_URL: t.databaseUrl,
      DATA_DIR: t.config.DATA_DIR,
      JWT_SECRET: t.config.JWT_SECRET.join(','),
      SAFETY_CODE: t.config.SAFETY_CODE.join(','),
      LOG_LEVEL: 'silent',
    });
    await enqueueAll(t);
    await until(`${each} effects`, async () => (await effects(t)).all >= each);
    await worker.kill('SIGTERM');
    const { all, different } = await effects(t);
    expect(all).toBe(different);
    expect(all).toBeLessThan(2 * each);
    const active = await t.postgres.db.any(sql`SELECT id FROM pgboss.job WHERE state IN ('active', 'retry')`);
    expect(active).toEqual([]);
  });
});
