import { createHash } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { MailSender } from '#domain/ports.ts';
import { writeFileAtomic } from '#platform/files/atomic-file.ts';
import { messageOf } from './message.ts';

interface MailConfig {
  SMTP_URL?: string | undefined;
  MAIL_FROM: string;
  DATA_DIR: string;
}

/** A short file name without special characters, always the same for a key. */
export const mailFileName = (key: string): string =>
  `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.eml`;

/**
 * One .eml file per mail key: sending a mail again replaces its file. Mails contain tokens, so only the service account
 * may read them.
 */
const outboxSender = (config: MailConfig): MailSender => {
  const folder = join(config.DATA_DIR, 'outbox');
  return {
    send: async (mail, { onData } = {}) => {
      // Most processes send no mail, so each sender is loaded only when needed.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
      const { message } = await transport.sendMail(messageOf(mail, config.MAIL_FROM));
      if (!Buffer.isBuffer(message)) throw new TypeError('the message was not buffered');
      await mkdir(folder, { recursive: true });
      // mkdir does not change an existing folder, which an older version may have left readable to others.
      await chmod(folder, 0o700);
      await onData?.();
      const file = mailFileName(mail.key);
      await writeFileAtomic(join(folder, file), message, 0o600);
      return `written to outbox/${file}`;
    },
    close: () => Promise.resolve(),
  };
};

/** SMTP when `SMTP_URL` is set, else files under `DATA_DIR/outbox`. */
export const createMailSender = async (config: MailConfig, answerSeconds?: number): Promise<MailSender> => {
  const { SMTP_URL: url, MAIL_FROM: from } = config;
  if (url === undefined) return outboxSender(config);
  const { smtpSender } = await import('./smtp.ts');
  return smtpSender({ url, from, answerSeconds });
};
