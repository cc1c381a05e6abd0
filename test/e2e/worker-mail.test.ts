import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { queueMail } from '#commands/mail.ts';
import { sql } from '#store/postgres/sql.ts';
import { testContext } from '#test/harness.ts';
import { deepNote, isDeep } from '#test/support/deep.ts';
import { startSmtp } from '#test/support/smtp.ts';
import type { FakeSmtp, Reaction } from '#test/support/smtp.ts';
import { until } from '#test/support/until.ts';
import { startWorker } from '#test/support/workers.ts';

const ok = { answer: '250 queued' };

describe.concurrent('mail sent by real worker processes', () => {
  const closing: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closing.reverse()) await close();
  });

  const scene = async (reactionTo: (n: number) => Reaction) => {
    const smtp = await startSmtp(reactionTo);
    const t = await testContext();
    closing.push(smtp.close, t.close);
    const worker = async () => {
      const started = await startWorker({
        DATABASE_URL: t.databaseUrl,
        DATA_DIR: t.config.DATA_DIR,
        JWT_SECRET: t.config.JWT_SECRET.join(','),
        SAFETY_CODE: t.config.SAFETY_CODE.join(','),
        LOG_LEVEL: 'silent',
        SMTP_URL: smtp.url,
      });
      closing.push(() => started.kill('SIGKILL'));
      return started;
    };
    const write = (key: string) =>
      t.postgres.transaction((tx) =>
        queueMail(tx, t, { key, to: 'p@example.com', subject: key, text: 't', createdAt: t.clock.now() }),
      );
    const row = () =>
      t.postgres.db.one<{ state: string; unanswered: number }>(
        sql`SELECT state, unanswered FROM outgoing_mail`,
      );
    return { t, smtp, worker, write, row };
  };

  const copiesOf = (smtp: FakeSmtp) => [smtp.received.length, new Set(smtp.received).size];

  test('A worker killed after the server’s answer but before marking the mail does not send it again', async () => {
    const { t, smtp, worker, write, row } = await scene(() => ok);
    const first = await worker();
    // The mark is in one transaction with the claim, which waits for this lock.
    const blocker = new pg.Client({ connectionString: t.databaseUrl });
    await blocker.connect();
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE effect IN EXCLUSIVE MODE');
    await write('answered');
    await until('the answer is stored', async () => (await row()).state === 'answered');
    await first.kill('SIGKILL');
    await blocker.query('ROLLBACK');
    await blocker.end();
    await worker();
    await until('sent', async () => (await row()).state === 'sent');
    expect(copiesOf(smtp)).toEqual([1, 1]);
    expect(await row()).toEqual({ state: 'sent', unanswered: 0 });
  });

  // The job's own test proves this for a run that ends.
  test.skipIf(!isDeep)(
    `A worker killed while the server is silent sends the mail again under the same Message-ID, and counts it${deepNote}`,
    async () => {
      const { smtp, worker, write, row } = await scene((n) => (n === 1 ? 'silent' : ok));
      const first = await worker();
      await write('unanswered');
      await until('the message is there', () => smtp.received.length === 1);
      await first.kill('SIGKILL');
      await worker();
      await until('sent', async () => (await row()).state === 'sent');
      expect(copiesOf(smtp)).toEqual([2, 1]);
      expect(await row()).toEqual({ state: 'sent', unanswered: 1 });
    },
  );
});
