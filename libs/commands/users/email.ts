/** Account addresses, confirmed by mailed links. */
import type { Deps } from '#commands/deps.ts';
import { DomainError } from '#domain/errors.ts';
import { addSeconds } from '#domain/time.ts';
import { emailLink, emailLinkSeconds, verificationMail, isResetToken } from '#domain/users/mails.ts';
import { hashOfSecret, newSecret } from '#store/auth/secrets.ts';
import type { ReadDb, Tx } from '#store/postgres/sql.ts';
import { emailProofRepo, emailProofWrites } from '#store/postgres/users/email-proofs.ts';
import type { EmailProof } from '#store/postgres/users/email-proofs.ts';
import { queueMail } from '../mail.ts';
import { claimPurchases } from '../subscriptions/messages.ts';
import { revokeCredentials } from './credentials.ts';

interface EmailLinkInput {
  userId: number;
  address: string;
  newAddress: string | null;
  mail: (link: string) => { subject: string; text: string };
}

/** Mails a link to an address; opening it confirms the address. */
export const mailEmailLink = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs' | 'config'>,
  { userId, address, newAddress, mail }: EmailLinkInput,
): Promise<void> => {
  const now = deps.clock.now();
  const token = newSecret();
  const id = await emailProofWrites(tx).add({
    userId,
    address,
    newAddress,
    tokenHash: hashOfSecret(token),
    createdAt: now,
    expiresAt: addSeconds(now, emailLinkSeconds),
  });
  const text = mail(emailLink(deps.config.WEB_BASE_URL, token));
  const key = `email-proof:${id}`;
  await queueMail(tx, deps, { ...text, to: address, key, createdAt: now, secret: true });
};

/** Mails a link that confirms an account's address. */
export const mailVerification = (
  tx: Tx,
  deps: Deps<'clock' | 'jobs' | 'config'>,
  { userId, email, firstname }: { userId: number; email: string; firstname: string },
): Promise<void> =>
  mailEmailLink(tx, deps, {
    userId,
    address: email,
    newAddress: null,
    mail: (link) => verificationMail(firstname, link),
  });

/** What a link has done: `waiting` for the second link of a change. */
export type EmailOutcome = 'verified' | 'waiting' | 'changed';

/** The proof for a link's token. Throws INVALID_EMAIL_LINK (unknown, used, other address) or EMAIL_LINK_EXPIRED. */
export const findEmailProof = async (
  db: ReadDb,
  { clock }: Deps<'clock'>,
  token: string,
): Promise<EmailProof> => {
  const stored = isResetToken(token) ? await emailProofRepo(db).byHash(hashOfSecret(token)) : null;
  if (!stored || stored.isUsed) throw new DomainError('INVALID_EMAIL_LINK');
  if (stored.expiresAt <= clock.now()) throw new DomainError('EMAIL_LINK_EXPIRED');
  return stored;
};

/**
 * Confirms the account's address, and assigns earlier purchases with it, or takes an address change one step further.
 * The second link changes the address and revokes reset links mailed to the previous one. Throws INVALID_EMAIL_LINK if
 * the link was used meanwhile, EMAIL_ALREADY_REGISTERED if another account has the new address by now.
 */
export const confirmEmail = async (
  tx: Tx,
  deps: Deps<'clock' | 'jobs'>,
  { id, userId, newAddress }: EmailProof,
): Promise<EmailOutcome> => {
  const now = deps.clock.now();
  const proofs = emailProofWrites(tx);
  await proofs.lockUser(userId);
  if (!(await proofs.use(id, now))) throw new DomainError('INVALID_EMAIL_LINK');
  if (newAddress === null) {
    await proofs.verify(userId, now);
    await claimPurchases(tx, deps, { userId });
    return 'verified';
  }
  if (await proofs.isChangeOpen(userId)) return 'waiting';
  await proofs.change(userId, newAddress, now);
  await revokeCredentials(tx, deps, { userId, event: 'changeEmail' });
  await claimPurchases(tx, deps, { userId });
  return 'changed';
};
