import type { Deps } from '#commands/deps.ts';
import { mailSend } from '#domain/jobs/contracts.ts';
import type { Mail } from '#domain/ports.ts';
import { outgoingMailWrites } from '#store/postgres/mail/outgoing.ts';
import type { Tx } from '#store/postgres/sql.ts';

interface MailToQueue extends Mail {
  createdAt: Date;
  /** True if the mail contains a token or must not be stored: its contents are erased once it is sent. */
  secret?: boolean;
}

/**
 * Stores a mail and its job in the caller's transaction, so that both commit or roll back with the change they report.
 * A mail with the key of an earlier one is not sent.
 */
export const queueMail = async (tx: Tx, { jobs }: Deps<'jobs'>, mail: MailToQueue): Promise<void> => {
  const mailId = await outgoingMailWrites(tx).insert(mail);
  if (mailId !== null) await jobs.enqueue(tx, mailSend, { mailId });
};
