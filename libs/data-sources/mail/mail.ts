import { createHash } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { SendMailOptions } from 'nodemailer';
import { MailRefusedError, MailUnansweredError } from '#domain/errors.ts';
import type { Mail, MailSender, SendOptions } from '#domain/ports.ts';
import { writeFileAtomic } from '#platform/files/atomic-file.ts';

/** The Message-ID depends on the key alone, so that a receiver can discard a duplicate. */
const messageOf = (mail: Mail, from: string): SendMailOptions & { messageId: string } => ({
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
  // All message parts are in memory; a path or URL in them must never be opened.
  disableFileAccess: true,
  disableUrlAccess: true,
});

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

/**
 * The server's reason for refusing this mail; null for all other errors, especially a refused connection or login. A
 * failure code after the complete message always refers to the mail.
 */
const refusalOf = (error: unknown, isComplete: boolean): MailRefusedError | null => {
  if (!(error instanceof Error) || !('responseCode' in error) || !('code' in error)) return null;
  const { responseCode, code } = error;
  const isAboutMail = isComplete || code === 'EENVELOPE' || code === 'EMESSAGE';
  if (!isAboutMail || typeof responseCode !== 'number' || responseCode < 400) return null;
  const words = 'response' in error && typeof error.response === 'string' ? error.response : error.message;
  return new MailRefusedError(words, responseCode >= 500, { cause: error });
};

/** A message that reports when the server starts to read it. */
const watchedMessage = (onData: SendOptions['onData']) => {
  let isComplete = false;
  const read = async function* (message: Readable) {
    await onData?.();
    yield* message;
    isComplete = true;
  };
  return {
    isComplete: () => isComplete,
    over: (message: Readable) => Readable.from(read(message), { objectMode: false }),
  };
};

const smtpSender = async (url: string, from: string, answerSeconds: number): Promise<MailSender> => {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    // A lost connection is reported, and the caller decides whether to send the mail again.
    maxRequeues: 0,
    connectionTimeout: 5_000,
    greetingTimeout: 5_000,
    socketTimeout: answerSeconds * 1_000,
  });
  const inWork = new Map<string, ReturnType<typeof watchedMessage>>();
  transport.use('stream', (mail, done) => {
    const watched = inWork.get(mail.message.messageId());
    if (watched) mail.message.processFunc(watched.over);
    done();
  });
  return {
    send: async (mail, { onData, signal } = {}) => {
      const message = messageOf(mail, from);
      const watched = watchedMessage(onData);
      inWork.set(message.messageId, watched);
      try {
        const { response } = await transport.sendMail({ ...message, ...(signal ? { signal } : {}) });
        return response;
      } catch (error) {
        const refusal = refusalOf(error, watched.isComplete());
        if (refusal) throw refusal;
        if (!watched.isComplete()) throw error;
        const reason = error instanceof Error ? error.message : String(error);
        throw new MailUnansweredError(`The mail server did not answer after the data: ${reason}`, {
          cause: error,
        });
      } finally {
        inWork.delete(message.messageId);
      }
    },
    close: () => {
      transport.close();
      return Promise.resolve();
    },
  };
};

/**
 * SMTP when `SMTP_URL` is set, else files under `DATA_DIR/outbox`. `answerSeconds`: longest wait for one answer of the
 * server, by default that of RFC 5321, 4.5.3.2.6, for the end of the data.
 */
export const createMailSender = async (config: MailConfig, answerSeconds = 600): Promise<MailSender> => {
  const { SMTP_URL: url, MAIL_FROM: from } = config;
  return url === undefined ? outboxSender(config) : smtpSender(url, from, answerSeconds);
};
