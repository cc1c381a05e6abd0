import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import { MailRefusedError, MailUnansweredError } from '#domain/errors.ts';
import type { MailSender, SendOptions } from '#domain/ports.ts';
import { messageOf } from './message.ts';

interface SmtpOptions {
  url: string;
  from: string;
  /** Longest wait for one server answer; default: RFC 5321, 4.5.3.2.6, for the end of the data. */
  answerSeconds?: number | undefined;
}

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

export const smtpSender = ({ url, from, answerSeconds = 600 }: SmtpOptions): MailSender => {
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
