import { verificationMail } from '#domain/users/email-mails.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { mailEmailLink } from './mail-email-link.ts';
import type { MailEmailLinkDeps } from './mail-email-link.ts';

/** Mails a link that verifies the address of an account. */
export const mailVerification = (
  tx: Tx,
  deps: MailEmailLinkDeps,
  { userId, email, firstname }: { userId: number; email: string; firstname: string },
): Promise<void> =>
  mailEmailLink(tx, deps, {
    userId,
    address: email,
    newAddress: null,
    mail: (link) => verificationMail(firstname, link),
  });
