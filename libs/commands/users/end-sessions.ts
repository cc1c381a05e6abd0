import type { Clock } from '#domain/time.ts';
import { accountDeletionWrites } from '#data/postgres/users/personal-data.ts';
import { emailProofWrites } from '#data/postgres/users/email-proofs.ts';
import { sessionWrites } from '#data/postgres/users/sessions.ts';
import { userWrites } from '#data/postgres/users/users.ts';
import type { Addressee } from '#data/postgres/users/users.ts';
import type { Tx } from '#data/postgres/sql.ts';

/**
 * Signs a user out everywhere: every token, signature, confirmation and download link that was issued before is refused from the
 * commit on, and a change of the email address that is not complete ends.
 */
export const endSessions = async (
  tx: Tx,
  { clock }: { clock: Clock },
  { userId }: { userId: number },
): Promise<Addressee> => {
  await sessionWrites(tx).endAll(userId);
  await accountDeletionWrites(tx).endRequests(userId);
  await emailProofWrites(tx).endChange(userId);
  return userWrites(tx).endCredentials(userId, clock.now());
};
