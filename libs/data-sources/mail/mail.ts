import { createHash } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { SendMailOptions } from 'nodemailer';
import type { Mail, MailSender } from '#domain/ports.ts';
import { writeFileAtomic } from '../storage/atomic-file.ts';

interface MailConfig {
  SMTP_URL?: string | undefined;
  MAIL_FROM: string;
  DATA_DIR: string;
}

/** A short name without special characters, stable for a key. */
export const mailFileName = (key: string): string =>
  `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.eml`;

const messageOf = (mail: Mail, from: string): SendMailOptions => ({
  from,
  to: mail.to,
  subject: mail.subject,
  text: mail.text,
  ...(mail.html === undefined ? {} : { html: mail.html }),
  messageId: `<${createHash('sha256').update(mail.key).digest('hex')}@${from.split('@')[1] ?? 'localhost'}>`,
  attachments: (mail.attachments ?? []).map((attachment) => ({
    filename: attachment.filename,
    content: Buffer.from(attachment.content),
    contentType: attachment.contentType,
  })),
  // Message parts are in memory; a path or URL in them must never be opened.
  disableFileAccess: true,
  disableUrlAccess: true,
});

const smtpSender = (config: MailConfig, url: string): MailSender => {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: 20_000,
  });
  return {
    send: async (mail) => {
      await transport.sendMail(messageOf(mail, config.MAIL_FROM));
    },
    close: () => {
      transport.close();
      return Promise.resolve();
    },
  };
};

/**
 * One .eml file per mail key: sending the same mail again replaces its file. Mails carry tokens, so only the
 * service's own account may read them.
 */
const outboxSender = (config: MailConfig): MailSender => {
  const folder = join(config.DATA_DIR, 'outbox');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    send: async (mail) => {
      const { message } = await transport.sendMail(messageOf(mail, config.MAIL_FROM));
      if (!Buffer.isBuffer(message)) throw new TypeError('the message was not buffered');
      await mkdir(folder, { recursive: true });
      // Not set by mkdir: the folder may have been created by a version that left it open.
      await chmod(folder, 0o700);
      await writeFileAtomic(join(folder, mailFileName(mail.key)), message, 0o600);
    },
    close: () => Promise.resolve(),
  };
};

/**
 * SMTP when `SMTP_URL` is set, else files under `DATA_DIR/outbox`. `send` rejects when the mail was not
 * accepted.
 */
export const createMailSender = (config: MailConfig): MailSender =>
  config.SMTP_URL === undefined ? outboxSender(config) : smtpSender(config, config.SMTP_URL);
