import { createHash } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { SendMailOptions } from 'nodemailer';
import { UnrecoverableError } from '#domain/errors.ts';
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

/** Longest wait for one answer of the server: RFC 5321, 4.5.3.2.6, for the end of the data. */
const smtpAnswerMs = 600_000;

/** The server's words for a permanent refusal of this mail; null for everything that may succeed later. */
const permanentRefusal = (error: unknown): string | null => {
  if (!(error instanceof Error) || !('responseCode' in error) || !('code' in error)) return null;
  const { responseCode, code } = error;
  // A refused connection or login is a matter of the configuration, not of the mail.
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  if (!isAboutMail || typeof responseCode !== 'number' || responseCode < 500) return null;
  return 'response' in error && typeof error.response === 'string' ? error.response : error.message;
};

const smtpSender = (config: MailConfig, url: string): MailSender => {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: smtpAnswerMs,
  });
  return {
    send: async (mail) => {
      try {
        await transport.sendMail(messageOf(mail, config.MAIL_FROM));
      } catch (error) {
        const refusal = permanentRefusal(error);
        if (refusal === null) throw error;
        throw new UnrecoverableError(`The mail server refused the mail: ${refusal}`, { cause: error });
      }
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
 * accepted, with `UnrecoverableError` when the server will never accept it.
 */
export const createMailSender = (config: MailConfig): MailSender =>
  config.SMTP_URL === undefined ? outboxSender(config) : smtpSender(config, config.SMTP_URL);
