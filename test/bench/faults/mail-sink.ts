/** A local mail server that records accepted mails. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Accepted {
  to: string;
  subject: string;
  messageId: string;
  /** Monotonic, in ms. */
  at: number;
}

/** Server's reaction to the data of a message; by default it accepts at once. */
export type AfterData = (to: string) => Promise<Error | null>;

export interface MailSink {
  url: string;
  accepted: Accepted[];
  /** Messages whose data arrived, accepted or not. */
  attempts: string[];
  answerWith: (behaviour: AfterData) => void;
  close: () => Promise<void>;
}

const acceptAll: AfterData = () => Promise.resolve(null);

export const startMailSink = async (): Promise<MailSink> => {
  const accepted: Accepted[] = [];
  const attempts: string[] = [];
  let behaviour = acceptAll;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      const answer = async (): Promise<void> => {
        const text = Buffer.concat(chunks).toString('utf8');
        const to = session.envelope.rcptTo[0]?.address ?? '';
        const field = (name: string): string =>
          new RegExp(`^${name}:\\s*(.+?)\\s*$`, 'im').exec(text)?.[1] ?? '';
        attempts.push(to);
        const refusal = await behaviour(to);
        if (!refusal)
          accepted.push({
            to,
            subject: field('Subject'),
            messageId: field('Message-ID'),
            at: performance.now(),
          });
        callback(refusal);
      };
      stream.on('end', () => void answer());
    },
  });
  // A killed worker drops its connection in mid-message.
  server.on('error', () => {});
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    accepted,
    attempts,
    answerWith: (next) => {
      behaviour = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
      }),
  };
};
