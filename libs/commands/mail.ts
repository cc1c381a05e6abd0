import type { Deps } from '#commands/deps.ts';
import { mailSend } from '#domain/jobs/contracts.ts';
import type { Mail } from '#domain/ports.ts';
import { outgoingMailWrites } from '#store/postgres/mail/outgoing.ts';
import type { Tx } from '#store/postgres/sql.ts';

interface MailToQueue extends Mail {
  createdAt: Date;
  /** True if the mail contains a token or must not be stored: its contents are erased once it is sent. */
  secret?: boolean;
  /** Delay of sending; at once by default. */
  delaySeconds?: number;
}

/**
 * Stores a mail and its job in the caller's transaction, so that both commit or roll back with the change they report.
 * Returns false if a mail with the same key exists, which is not sent again.
 */
export const queueMail = async (
  tx: Tx,
  { jobs }: Deps<'jobs'>,
  { delaySeconds = 0, ...mail }: MailToQueue,
): Promise<boolean> => {
  const mailId = await outgoingMailWrites(tx).insert(mail);
  if (mailId === null) return false;
  await jobs.enqueue(tx, mailSend, { mailId }, delaySeconds > 0 ? { delaySeconds } : {});
  return true;
};
