import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { describe, expect, test } from 'vitest';
import { testFolder } from '#test/harness.ts';
import { MailRefusedError } from '#domain/errors.ts';
import { createMailSender } from './mail.ts';

const mail = { key: 'k1', to: 'pilot@example.com', subject: 'Hello\r\nBcc: other@example.com', text: 'Line' };

describe('SMTP sender', () => {
  const serve = async (answer: (error?: Error) => Error | undefined) => {
    const received: string[] = [];
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onData: (stream, _session, callback) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          received.push(Buffer.concat(chunks).toString());
          callback(answer());
        });
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const { port } = server.server.address() as AddressInfo;
    const sender = await createMailSender({
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      MAIL_FROM: 'efb@example.org',
      DATA_DIR: '/nowhere',
    });
    const close = async () => {
      await sender.close();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    };
    return { received, sender, close };
  };

  test('A mail is delivered with a Message-ID from its key, and a line break in the subject adds no header', async () => {
    const { received, sender, close } = await serve(() => undefined);
    await sender.send(mail);
    await sender.send({ ...mail });
    await sender.send({ ...mail, key: 'k2' });
    await close();
    const parsed = await Promise.all(received.map((text) => PostalMime.parse(text)));
    const ids = parsed.map((message) => message.messageId);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
    expect(parsed[0]?.bcc).toBeUndefined();
    expect(parsed[0]?.to).toEqual([{ address: 'pilot@example.com', name: '' }]);
  });

  test('A permanent refusal is final and quotes the server, a temporary one is not', async () => {
    for (const [responseCode, isFinal] of [
      [550, true],
      [554, true],
      [451, false],
      [421, false],
    ] as const) {
      const { sender, close } = await serve(() =>
        Object.assign(new Error('no such mailbox'), { responseCode }),
      );
      const refusal: unknown = await sender.send(mail).catch((error: unknown) => error);
      await close();
      expect(refusal).toBeInstanceOf(MailRefusedError);
      expect([responseCode, refusal instanceof MailRefusedError && refusal.isFinal]).toEqual([
        responseCode,
        isFinal,
      ]);
      expect(String(refusal)).toContain('no such mailbox');
    }
  });

  test('Sending fails when the server refuses and when there is none', async () => {
    const { sender, close } = await serve(() =>
      Object.assign(new Error('mailbox full'), { responseCode: 452 }),
    );
    await expect(sender.send(mail)).rejects.toThrow('mailbox full');
    await close();
    await expect(sender.send(mail)).rejects.toThrow(/ECONNREFUSED|closed/i);
  });
});

test('The outbox and its mails are readable only by their owner, even if the folder was readable before', async () => {
  const dataDir = await testFolder();
  const outbox = join(dataDir, 'outbox');
  await mkdir(outbox);
  await chmod(outbox, 0o755);
  const sender = await createMailSender({ MAIL_FROM: 'efb@example.org', DATA_DIR: dataDir });
  await sender.send(mail);
  await sender.send({ ...mail, key: 'k2' });
  const files = (await readdir(outbox)).map((name) => join(outbox, name));
  const modes = await Promise.all([outbox, ...files].map(async (path) => (await stat(path)).mode & 0o777));
  expect(modes).toEqual([0o700, 0o600, 0o600]);
});
