import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queueMail } from '#commands/mail.ts';
import { createMailSender } from '#data/mail/mail.ts';
import { sql } from '#store/postgres/sql.ts';
import { UnavailableError, UnrecoverableError } from '#domain/errors.ts';
import { unansweredLimit } from '#domain/jobs/contracts.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { startSmtp } from '#test/support/smtp.ts';
import type { Reaction } from '#test/support/smtp.ts';
import { until } from '#test/support/until.ts';
import { runOnce } from '#test/support/run-once.ts';
import mailSend from './mail-send.ts';

describe('mail.send to a mail server', () => {
  let t: TestContext;
  beforeAll(async () => {
    t = await testContext();
  });
  afterAll(() => t.close());

  const ok = { answer: '250 2.0.0 queued as 42' };

  /** One mail and a server that reacts to its copies in this order; the last reaction is repeated. */
  const scene = async (key: string, reactions: readonly Reaction[]) => {
    const smtp = await startSmtp((n) => reactions[Math.min(n, reactions.length) - 1] ?? 'silent');
    const mail = await createMailSender(
      { SMTP_URL: smtp.url, MAIL_FROM: 'efb@example.org', DATA_DIR: '/nowhere' },
      1,
    );
    const over = { ...t, mail };
    await t.postgres.transaction((tx) =>
      queueMail(tx, t, { key, to: 'p@example.com', subject: 's', text: 't', createdAt: t.clock.now() }),
    );
    const row = () =>
      t.postgres.db.one<{ id: number; state: string; unanswered: number; answer: string | null }>(
        sql`SELECT id, state, unanswered, answer FROM outgoing_mail WHERE key = ${key}`,
      );
    const { id } = await row();
    return {
      smtp,
      row,
      run: () => runOnce(mailSend, over, { mailId: id }),
      close: async () => {
        await mail.close();
        await smtp.close();
      },
    };
  };

  test('The state is stored before the data are sent, and a slow server’s answer is awaited', async () => {
    const { smtp, row, run, close } = await scene('slow', [{ ...ok, isHeld: true }]);
    const running = run();
    await until('the message is there', () => smtp.received.length === 1);
    expect(await row()).toMatchObject({ state: 'sending', unanswered: 0, answer: null });
    smtp.release();
    await running;
    expect(await row()).toMatchObject({ state: 'sent', unanswered: 0, answer: ok.answer });
    await run();
    expect(smtp.received).toHaveLength(1);
    await close();
  });

  test('A connection cut right after the 250 does not cause a second copy', async () => {
    const { smtp, row, run, close } = await scene('cut after', [{ ...ok, cut: true }]);
    await run();
    await run();
    expect(await row()).toMatchObject({ state: 'sent', unanswered: 0 });
    expect(smtp.received).toHaveLength(1);
    await close();
  });

  test('A temporary refusal is a definite answer, so the next run sends no duplicate', async () => {
    const { smtp, row, run, close } = await scene('4xx', [{ answer: '451 greylisted' }, ok]);
    const refusal: unknown = await run().catch((error: unknown) => error);
    expect(refusal).not.toBeInstanceOf(UnrecoverableError);
    expect(String(refusal)).toContain('451 greylisted');
    expect(await row()).toMatchObject({ state: 'waiting', unanswered: 0, answer: '451 greylisted' });
    await run();
    expect(await row()).toMatchObject({ state: 'sent', unanswered: 0, answer: ok.answer });
    expect(smtp.received).toHaveLength(2);
    await close();
  });

  test('A permanent refusal is final and quotes the server', async () => {
    const { row, run, close } = await scene('5xx', [{ answer: '554 5.7.1 spam' }]);
    await expect(run()).rejects.toThrow(
      new UnrecoverableError('The mail server refused the mail: 554 5.7.1 spam'),
    );
    expect(await row()).toMatchObject({ state: 'refused', answer: '554 5.7.1 spam' });
    await close();
  });

  test.each(['silent', 'cut'] as const)(
    'Without an answer (%s) the mail is sent again with the same Message-ID, and counted',
    async (reaction) => {
      const { smtp, row, run, close } = await scene(`no answer, ${reaction}`, [reaction, ok]);
      await expect(run()).rejects.toThrow('did not answer after the data');
      expect(await row()).toMatchObject({ state: 'sending', unanswered: 0 });
      await run();
      expect(await row()).toMatchObject({ state: 'sent', unanswered: 1 });
      expect(smtp.received).toHaveLength(2);
      expect(new Set(smtp.received).size).toBe(1);
      await close();
    },
  );

  test('A server that never answers gets no further copies until the operator retries', async () => {
    const { smtp, row, run, close } = await scene('never', ['cut']);
    for (let copy = 1; copy <= unansweredLimit; copy += 1)
      await expect(run()).rejects.toThrow('did not answer after the data');
    await expect(run()).rejects.toThrow('may have arrived');
    expect(smtp.received).toHaveLength(unansweredLimit);
    expect(await row()).toMatchObject({ state: 'waiting', unanswered: unansweredLimit });
    await expect(run()).rejects.toThrow('did not answer after the data');
    expect(smtp.received).toHaveLength(unansweredLimit + 1);
    await close();
  });

  test('No mail is sent while its state cannot be stored', async () => {
    const { smtp, row, run, close } = await scene('no state', [ok]);
    const mail = await createMailSender({
      SMTP_URL: smtp.url,
      MAIL_FROM: 'efb@example.org',
      DATA_DIR: '/nowhere',
    });
    const refused = mail.send(
      { key: 'no state', to: 'p@example.com', subject: 's', text: 't' },
      { onData: () => Promise.reject(new Error('no database')) },
    );
    await expect(refused).rejects.toThrow('no database');
    await mail.close();
    expect(smtp.received).toEqual([]);
    await run();
    expect(await row()).toMatchObject({ state: 'sent', unanswered: 0 });
    await close();
  });

  test('An answer is stored as soon as the database returns', async () => {
    const { smtp, row, run, close } = await scene('database away', [{ ...ok, isHeld: true }]);
    const running = run();
    await until('the message is there', () => smtp.received.length === 1);
    let refusals = 2;
    const { single } = t.postgres;
    t.postgres.single = (work) =>
      refusals-- > 0
        ? Promise.reject(
            new UnavailableError('the database', { reason: 'gone', code: '57P01', retryAfterSeconds: 1 }),
          )
        : single(work);
    smtp.release();
    await running;
    t.postgres.single = single;
    expect(refusals).toBeLessThan(0);
    expect(await row()).toMatchObject({ state: 'sent', answer: ok.answer });
    expect(smtp.received).toHaveLength(1);
    await close();
  });
});
