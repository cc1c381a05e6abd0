import { DomainError } from '#domain/errors.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { Clock } from '#domain/time.ts';
import { windowStart } from '#domain/subscriptions/allowance.ts';
import { hashOfEmail } from '#store/auth/email-hashes.ts';
import type { Config } from '#platform/config/config.ts';
import { formerUsageWrites } from '#store/postgres/users/former-usage.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { accountDeletedMail } from '#domain/users/account-deleted-mail.ts';
import { queueMail } from '#commands/mail/queue-mail.ts';
import { deleteFiles } from '#commands/storage/delete-files.ts';
import { accountDeletionWrites } from '#store/postgres/users/personal-data.ts';

export interface DeleteAccountDeps {
  clock: Clock;
  jobs: JobProducer<Tx>;
  config: Pick<Config, 'ENCRYPTION_KEYS'>;
}

/**
 * Deletes an account with everything that it owns; payments remain, without the person, and the calculations of the last 30 days
 * under a hash of the address. A last mail reports it. Its files are
 * deleted by jobs of the same transaction, so that no file outlives a process that is killed. Throws USER_NOT_FOUND.
 */
export const deleteAccount = async (
  tx: Tx,
  { clock, jobs, config }: DeleteAccountDeps,
  { userId }: { userId: number },
): Promise<void> => {
  const deletion = accountDeletionWrites(tx);
  const user = await deletion.lock(userId);
  if (!user) throw new DomainError('USER_NOT_FOUND', {}, `There is no user ${userId}.`);
  const now = clock.now();
  const emailHash = hashOfEmail(user.email, config.ENCRYPTION_KEYS);
  await formerUsageWrites(tx).keep(userId, emailHash, windowStart(now));
  await deletion.delete(userId, user.email, now);
  const key = `account-deleted:${userId}`;
  await queueMail(tx, { jobs }, { ...accountDeletedMail, key, to: user.email, createdAt: now });
  await deleteFiles(tx, { jobs }, { keys: user.files });
};
