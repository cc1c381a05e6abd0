import type { JobProducer } from '#domain/jobs/port.ts';
import { addSeconds } from '#domain/time.ts';
import type { Clock } from '#domain/time.ts';
import { emailLink, emailLinkSeconds } from '#domain/users/email-mails.ts';
import { hashOfResetToken, newResetToken } from '#store/auth/reset-tokens.ts';
import { queueMail } from '#commands/mail/queue-mail.ts';
import { emailProofWrites } from '#store/postgres/users/email-proofs.ts';
import type { Config } from '#platform/config/config.ts';
import type { Tx } from '#store/postgres/sql.ts';

export interface MailEmailLinkDeps {
  clock: Clock;
  jobs: JobProducer<Tx>;
  config: Pick<Config, 'WEB_BASE_URL'>;
}

export interface EmailLinkInput {
  userId: number;
  address: string;
  newAddress: string | null;
  mail: (link: string) => { subject: string; text: string };
}

/** Mails a link to an address; who opens it proves to own the address. */
export const mailEmailLink = async (
  tx: Tx,
  { clock, jobs, config }: MailEmailLinkDeps,
  { userId, address, newAddress, mail }: EmailLinkInput,
): Promise<void> => {
  const now = clock.now();
  const token = newResetToken();
  const id = await emailProofWrites(tx).add({
    userId,
    address,
    newAddress,
    tokenHash: hashOfResetToken(token),
    createdAt: now,
    expiresAt: addSeconds(now, emailLinkSeconds),
  });
  const text = mail(emailLink(config.WEB_BASE_URL, token));
  const key = `email-proof:${id}`;
  await queueMail(tx, { jobs }, { ...text, to: address, key, createdAt: now, secret: true });
};
