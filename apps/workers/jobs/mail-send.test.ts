import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queueMail } from '#commands/mail.ts';
import { mailFileName } from '#data/mail/mail.ts';
import { sql } from '#store/postgres/sql.ts';
import type { Mail } from '#domain/ports.ts';
import { testContext } from '#test/harness.ts';
import type { TestContext } from '#test/harness.ts';
import { runOnce } from '#test/support/run-once.ts';
import mailSend from './mail-send.ts';

describe('mail.send', () => {
  let t: TestContext;
  beforeAll(async () => {
    t = await testContext();
  });
  afterAll(() => t.close());

  const mail = (key: string): Mail => ({
    key,
    to: 'pilot@example.com',
    subject: 'Überraschung',
    text: 'The token is abc123.',
    html: '<p>The token is <b>abc123</b>.</p>',
    attachments: [{ filename: 'a.txt', content: Buffer.from('attached'), contentType: 'text/plain' }],
  });

  const write = (key: string, secret = false, over = t) =>
    over.postgres.transaction((tx) =>
      queueMail(tx, over, { ...mail(key), createdAt: over.clock.now(), secret }),
    );

  const rowOf = (key: string) =>
    t.postgres.db.one<{ id: number; text: string | null; sent: boolean; effects: number }>(sql`
      SELECT id, body_text AS text, sent_at IS NOT NULL AS sent,
        (SELECT count(*) FROM effect WHERE effect.key = 'mail:' || outgoing_mail.key) AS effects
      FROM outgoing_mail WHERE key = ${key}`);

  test('A mail is written as one complete .eml file and marked as sent', async () => {
    await write('welcome-1');
    await runOnce(mailSend, t, { mailId: (await rowOf('welcome-1')).id });
    const eml = await PostalMime.parse(
      await readFile(join(t.config.DATA_DIR, 'outbox', mailFileName('welcome-1'))),
    );
    expect(eml).toMatchObject({
      subject: 'Überraschung',
      to: [{ address: 'pilot@example.com' }],
      from: { address: t.config.MAIL_FROM },
    });
    expect(eml.text?.trim()).toBe('The token is abc123.');
    expect(Buffer.from(eml.attachments[0]?.content as ArrayBuffer).toString()).toBe('attached');
    expect(await rowOf('welcome-1')).toMatchObject({ sent: true, effects: 1, text: 'The token is abc123.' });
  });

  test('The text of a secret mail is erased once it has been sent', async () => {
    await write('reset-1', true);
    expect((await rowOf('reset-1')).text).toContain('abc123');
    await runOnce(mailSend, t, { mailId: (await rowOf('reset-1')).id });
    expect(await rowOf('reset-1')).toMatchObject({ sent: true, text: null });
    const html = await t.postgres.db.one<{ html: string | null }>(
      sql`SELECT body_html AS html FROM outgoing_mail WHERE key = 'reset-1'`,
    );
    expect(html.html).toBeNull();
  });

  test('The same key is written once and sent once, however often the job runs', async () => {
    await write('once');
    await write('once');
    let sends = 0;
    const counting = { ...t, mail: { send: async () => `250 ${sends++}`, close: async () => {} } };
    const { id } = await rowOf('once');
    await Promise.all([
      runOnce(mailSend, counting, { mailId: id }),
      runOnce(mailSend, counting, { mailId: id }),
    ]);
    await runOnce(mailSend, counting, { mailId: id });
    expect(sends).toBe(1);
  });

  test('A failing mail server leaves the mail unsent and unclaimed, and the next run sends it', async () => {
    await write('server-down');
    const { id } = await rowOf('server-down');
    const down = {
      ...t,
      mail: { send: () => Promise.reject(new Error('451 try later')), close: async () => {} },
    };
    await expect(runOnce(mailSend, down, { mailId: id })).rejects.toThrow('451 try later');
    expect(await rowOf('server-down')).toMatchObject({ sent: false, effects: 0 });
    await runOnce(mailSend, t, { mailId: id });
    expect(await rowOf('server-down')).toMatchObject({ sent: true, effects: 1 });
  });

  test('A rolled-back transaction leaves neither mail nor job', async () => {
    const failing = t.postgres.transaction(async (tx) => {
      await queueMail(tx, t, { ...mail('never'), createdAt: t.clock.now() });
      throw new Error('no account after all');
    });
    await expect(failing).rejects.toThrow('no account after all');
    const rows = await t.postgres.db.any(sql`SELECT id FROM outgoing_mail WHERE key = 'never'`);
    expect(rows).toEqual([]);
  });

  test('No temporary files remain in the outbox', async () => {
    const files = await readdir(join(t.config.DATA_DIR, 'outbox'));
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter((name) => !name.endsWith('.eml'))).toEqual([]);
  });
});
