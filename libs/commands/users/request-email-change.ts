import { emailChangeMail, newAddressMail } from '#domain/users/email-mails.ts';
import { emailProofWrites } from '#store/postgres/users/email-proofs.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { mailEmailLink } from './mail-email-link.ts';
import type { MailEmailLinkDeps } from './mail-email-link.ts';

export interface EmailChange {
  userId: number;
  email: string;
  firstname: string;
  newAddress: string;
}

/** Mails a link to the address of an account and one to its new address: when both were opened, it changes. Replaces a request of before. */
export const requestEmailChange = async (
  tx: Tx,
  deps: MailEmailLinkDeps,
  { userId, email, firstname, newAddress }: EmailChange,
): Promise<void> => {
  const proofs = emailProofWrites(tx);
  await proofs.lockUser(userId);
  await proofs.endChange(userId);
  await mailEmailLink(tx, deps, {
    userId,
    address: email,
    newAddress,
    mail: (link) => emailChangeMail(firstname, newAddress, link),
  });
  await mailEmailLink(tx, deps, { userId, address: newAddress, newAddress, mail: newAddressMail });
};
