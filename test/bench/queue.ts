import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '#platform/config/config.ts';
import { createContext } from '#data/context.ts';
import { startEmbedded } from '#platform/embedded/server.ts';
import { queueMail } from '#commands/mail/queue-mail.ts';
import { sql } from '#data/postgres/sql.ts';
import { prepareDatabase } from '#data/prepare.ts';
import { mailSend } from '#domain/jobs/mail-send.ts';
import mailHandler from '#workers/jobs/mail-send.ts';
import { askPicture, insertLanding } from '#test/support/landing.ts';
import { redisServer, startRedis } from '#test/support/redis.ts';
import { startWorker } from '#test/support/workers.ts';
import { createAccounts } from './support/accounts.ts';
import { benchSecrets } from './support/secrets.ts';

const mails = 300;
const pictures = 60;

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;

const report = (what: string, values: readonly number[], barMs: number): void => {
  const p95 = percentile(values, 0.95);
  const figures = `p50 ${percentile(values, 0.5).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, max ${percentile(values, 1).toFixed(1)} ms`;
  console.log(`${what}: ${figures} (bar: p95 < ${barMs} ms) ${p95 < barMs ? 'ok' : 'MISSED'}`);
};

const envOf = (url: string, folder: string, redisUrl?: string) => ({
  DATABASE_URL: url,
  DATA_DIR: folder,
  ...benchSecrets,
  LOG_LEVEL: 'warn',
  ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
});

/** From the end of the work in the transaction (including the commit) to the first line of the handler. */
const mailLatency = async (env: Record<string, string>): Promise<number[]> => {
  await using producer = await createContext(readConfig(env), 'api');
  await using worker = await createContext(readConfig(env), 'workers');
  const started = new Map<number, number>();
  const handler = mailHandler.bind(worker);
  const consumer = await worker.queues.consumer();
  await consumer.consume(
    'durable',
    [
      {
        contract: mailSend,
        run: async (delivery) => {
          started.set(mailSend.payload.parse(delivery.payload).mailId, performance.now());
          await handler.run(delivery);
        },
      },
    ],
    worker.config.WORKER_CONCURRENCY,
  );
  const waits: number[] = [];
  for (let n = 0; n < mails; n++) {
    const key = randomUUID();
    let before = 0;
    await producer.postgres.transaction(async (tx) => {
      await queueMail(tx, producer, {
        key,
        to: 'a@example.com',
        subject: 'Bench',
        text: 'x',
        createdAt: new Date(),
      });
      before = performance.now();
    });
    const { id } = await producer.postgres.db.one<{ id: number }>(
      sql`SELECT id FROM outgoing_mail WHERE key = ${key}`,
    );
    while (!started.has(id)) {
      if (performance.now() - before > 10_000) throw new Error('no mail within 10 s');
      await sleep(1);
    }
    waits.push((started.get(id) ?? Number.NaN) - before);
    // Uneven gaps, so that sends do not synchronise with the polling of the workers.
    await sleep(5 + ((n * 7) % 40));
  }
  await consumer.stop(5_000);
  return waits;
};

/** From the start of the transaction that enqueues a picture to the announcement that it is stored. */
const pictureLatency = async (env: Record<string, string>): Promise<number[]> => {
  await using ctx = await createContext(readConfig(env), 'api');
  const [userId = 0] = await createAccounts({ databaseUrl: ctx.config.DATABASE_URL }, ctx.postgres, {
    name: 'pilot',
    count: 1,
  });
  const heard = new Map<string, number>();
  ctx.announcements.hear('picture', (id) => void heard.set(id, performance.now()));
  const worker = await startWorker(env);
  const waits: number[] = [];
  try {
    for (let n = 0; n < pictures; n++) {
      const { publicId } = await ctx.postgres.transaction((tx) => insertLanding(tx, userId, new Date()));
      const before = performance.now();
      await ctx.postgres.transaction((tx) =>
        askPicture(tx, ctx, { publicId, name: 'factored', format: 'png' }, new Date()),
      );
      while (!heard.has(publicId)) {
        if (performance.now() - before > 10_000) throw new Error('no picture within 10 s');
        await sleep(1);
      }
      waits.push((heard.get(publicId) ?? Number.NaN) - before);
      await sleep(5 + ((n * 7) % 40));
    }
  } finally {
    await worker.kill('SIGTERM');
  }
  return waits;
};

/**
 * Latency of the queues with one worker process on a durable embedded Postgres, and on Redis when available.
 */
export const run = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'efb-bench-queue-'));
  // As root the database runs under a separate account, which must be able to traverse this folder.
  await chmod(folder, 0o755);
  const dataDir = join(folder, 'data');
  const server = await startEmbedded({ folder: join(folder, 'database'), durable: true });
  try {
    const url = server.urlOf('postgres');
    await prepareDatabase({ DATABASE_URL: url, ENCRYPTION_KEYS: [benchSecrets.ENCRYPTION_KEYS] });
    report('commit to mail handler, Postgres', await mailLatency(envOf(url, dataDir)), 20);
    report('asked to PNG, Postgres', await pictureLatency(envOf(url, dataDir)), 600);
    if (!redisServer) {
      console.log('asked to PNG, Redis: not measured, no redis-server on the PATH');
      return;
    }
    const redis = await startRedis();
    try {
      report('asked to PNG, Redis', await pictureLatency(envOf(url, dataDir, redis.url)), 600);
    } finally {
      await redis.stop();
    }
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
