import type { JobProducer } from '#domain/jobs/port.ts';
import { mailSend } from '#domain/jobs/mail-send.ts';
import type { Mail } from '#domain/ports.ts';
import { outgoingMailWrites } from '../postgres/mail/outgoing.ts';
import type { Tx } from '../postgres/sql.ts';

export interface MailToQueue extends Mail {
  createdAt: Date;
  /** True when the text holds a token: it is erased once the mail is out. */
  secret?: boolean;
}

/**
 * Writes a mail and its job in the caller's transaction: both stand or fall with what the mail tells about.
 * Returns false when a mail of the same key was written before; it is not sent again.
 */
export const queueMail = async (tx: Tx, jobs: JobProducer<Tx>, mail: MailToQueue): Promise<boolean> => {
  const mailId = await outgoingMailWrites(tx).insert(mail);
  if (mailId === null) return false;
  await jobs.enqueue(tx, mailSend, { mailId });
  return true;
};
