import { DomainError } from '#domain/errors.ts';
import type { JobProducer } from '#domain/jobs/port.ts';
import type { Clock } from '#domain/time.ts';
import { isResetToken } from '#domain/users/reset-mail.ts';
import { hashOfResetToken } from '#store/auth/reset-tokens.ts';
import { emailProofRepo, emailProofWrites } from '#store/postgres/users/email-proofs.ts';
import type { EmailProof } from '#store/postgres/users/email-proofs.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import { claimPurchases } from '../subscriptions/claim-purchases.ts';
import { endHandedOut } from './end-handed-out.ts';

/** What a link has done: `waiting` for the other link of a change. */
export type EmailOutcome = 'verified' | 'waiting' | 'changed';

/** The proof of a link's token. Throws INVALID_EMAIL_LINK (unknown, used, of another address) or EMAIL_LINK_EXPIRED. */
export const findEmailProof = async (
  db: ReadDb,
  { clock }: { clock: Clock },
  token: string,
): Promise<EmailProof> => {
  const stored = isResetToken(token) ? await emailProofRepo(db).byHash(hashOfResetToken(token)) : null;
  if (!stored || stored.isUsed) throw new DomainError('INVALID_EMAIL_LINK');
  if (stored.expiresAt <= clock.now()) throw new DomainError('EMAIL_LINK_EXPIRED');
  return stored;
};

/**
 * Verifies the address of the account, to which purchases made with it before then belong, or takes the change one step further; with the second link the address changes, and
 * links for a new password that were mailed to the one before end. Throws INVALID_EMAIL_LINK when the link has been used in the
 * meantime, EMAIL_ALREADY_REGISTERED when another account has the new address by now.
 */
export const confirmEmail = async (
  tx: Tx,
  { clock, jobs }: { clock: Clock; jobs: JobProducer<Tx> },
  { id, userId, newAddress }: EmailProof,
): Promise<EmailOutcome> => {
  const now = clock.now();
  const proofs = emailProofWrites(tx);
  await proofs.lockUser(userId);
  if (!(await proofs.use(id, now))) throw new DomainError('INVALID_EMAIL_LINK');
  if (newAddress === null) {
    await proofs.verify(userId, now);
    await claimPurchases(tx, { jobs }, { userId });
    return 'verified';
  }
  if (await proofs.isChangeOpen(userId)) return 'waiting';
  await proofs.change(userId, newAddress, now);
  await endHandedOut(tx, { clock }, { userId, event: 'changeEmail' });
  await claimPurchases(tx, { jobs }, { userId });
  return 'changed';
};
