import { fateOf } from '#domain/access/endings.ts';
import type { AccessEvent } from '#domain/access/endings.ts';
import type { Clock } from '#domain/time.ts';
import { accountDeletionWrites } from '#store/postgres/users/personal-data.ts';
import { emailProofWrites } from '#store/postgres/users/email-proofs.ts';
import { passwordResetWrites } from '#store/postgres/users/password-resets.ts';
import { sessionWrites } from '#store/postgres/users/sessions.ts';
import { userWrites } from '#store/postgres/users/users.ts';
import type { Tx } from '#store/postgres/sql.ts';

/** Ends what the event ends of a user, as the table says, from the commit on. What follows from rows of others needs nothing here. */
export const endHandedOut = async (
  tx: Tx,
  { clock }: { clock: Clock },
  { userId, event }: { userId: number; event: AccessEvent },
): Promise<void> => {
  const now = clock.now();
  if (fateOf(event, 'otherToken') === 'ends') await sessionWrites(tx).endAll(userId);
  if (fateOf(event, 'deletion') === 'ends') await accountDeletionWrites(tx).endRequests(userId);
  if (fateOf(event, 'emailChangeLink') === 'ends') await emailProofWrites(tx).endChange(userId);
  if (fateOf(event, 'resetLink') === 'ends') await passwordResetWrites(tx).endAll(userId, now);
  // One time for signatures, confirmations and download links; a token and the approval of a device are of a generation, too.
  if (fateOf(event, 'signature') === 'ends') await userWrites(tx).endCredentials(userId, now);
};
