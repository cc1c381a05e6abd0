import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEmbedded } from '#platform/embedded/server.ts';
import { queueMail } from '#commands/mail.ts';
import { sql } from '#store/postgres/sql.ts';
import { UnavailableError } from '#domain/errors.ts';
import { prepareDatabase } from '#store/service-database.ts';
import { until } from '#test/support/until.ts';
import { testContext } from '#test/harness.ts';
import { startWorker } from '#test/support/workers.ts';

test('After kill -9 of Postgres the worker survives, and its jobs run once the database returns', async () => {
  const folder = await mkdtemp(join(tmpdir(), `efb-testdb-${process.pid}-kill-`));
  const server = await startEmbedded({ folder, durable: true });
  const url = server.urlOf('postgres');
  await prepareDatabase({ DATABASE_URL: url });
  const t = await testContext({ databaseUrl: url });
  const worker = await startWorker({
    DATABASE_URL: url,
    DATA_DIR: t.config.DATA_DIR,
    JWT_SECRET: t.config.JWT_SECRET.join(','),
    SAFETY_CODE: t.config.SAFETY_CODE.join(','),
    LOG_LEVEL: 'silent',
  });
  const queue = (n: number) =>
    t.postgres.transaction((tx) =>
      queueMail(tx, t, {
        key: `mail-${n}`,
        to: 'p@example.com',
        subject: `${n}`,
        text: 'Hello',
        createdAt: t.clock.now(),
      }),
    );
  const mails = () =>
    t.postgres.db.one<{ all: number; sent: number }>(
      sql`SELECT count(*) AS all, count(sent_at) AS sent FROM outgoing_mail`,
    );
  try {
    for (let n = 0; n < 50; n++) await queue(n);
    await until('mails are sent', async () => (await mails()).sent > 5);
    process.kill(server.pid(), 'SIGKILL');
    // The server process of the connection may live a moment longer, and even commit.
    const refused = await queue(1_000).catch((error: unknown) => error);
    expect(refused === true || refused instanceof UnavailableError).toBe(true);
    await server.start();
    const back = performance.now();
    const isBack = () =>
      queue(50).then(
        () => true,
        () => false,
      );
    await until('the pool has healed', isBack);
    const isAllSent = async () => {
      const { all, sent } = await mails();
      return all === sent;
    };
    await until('all are sent', isAllSent);
    // An idle machine needs less than 15 s.
    expect(performance.now() - back).toBeLessThan(60_000);
    // The refused mail may be present, too: its commit may have succeeded with only the answer lost.
    const { all } = await mails();
    expect([51, 52]).toContain(all);
    expect(await readdir(join(t.config.DATA_DIR, 'outbox'))).toHaveLength(all);
    // Throws when there is no such process.
    expect(process.kill(worker.pid, 0)).toBe(true);
  } finally {
    await worker.kill('SIGTERM');
    await t.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
