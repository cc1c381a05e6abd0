import type { JobProducer } from '#domain/jobs/port.ts';
import { addSeconds } from '#domain/time.ts';
import type { Clock } from '#domain/time.ts';
import { linkLifeSeconds, pauseBetweenMailsSeconds, resetLink, resetMail } from '#domain/users/reset-mail.ts';
import { hashOfResetToken, newResetToken } from '#store/auth/reset-tokens.ts';
import { queueMail } from '#commands/mail/queue-mail.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { passwordResetRepo, passwordResetWrites } from '#store/postgres/users/password-resets.ts';

export interface MailResetLinkDeps {
  clock: Clock;
  jobs: JobProducer<Tx>;
  /** Base URL of the page that the link opens. */
  webBaseUrl: string;
}

/**
 * Handles a request for a new password by mailing a link. Without an account, or after a mail in the last 15
 * minutes, no mail is sent; from outside, the cases are indistinguishable.
 */
export const mailResetLink = async (
  tx: Tx,
  { clock, jobs, webBaseUrl }: MailResetLinkDeps,
  { requestId }: { requestId: number },
): Promise<void> => {
  const resets = passwordResetWrites(tx);
  const request = await resets.takeRequest(requestId);
  const account = request && (await resets.lockAccount(request.email));
  if (!account) return;
  const since = addSeconds(request.requestedAt, -pauseBetweenMailsSeconds);
  if (await passwordResetRepo(tx).wasMailedSince(account.userId, since)) return;
  const now = clock.now();
  const token = newResetToken();
  const id = await resets.add({
    userId: account.userId,
    tokenHash: hashOfResetToken(token),
    returnUrl: request.returnUrl,
    application: request.application,
    createdAt: now,
    expiresAt: addSeconds(now, linkLifeSeconds),
  });
  await queueMail(
    tx,
    { jobs },
    {
      ...resetMail(account.firstname, resetLink(webBaseUrl, token)),
      to: account.email,
      key: `password-reset:${id}`,
      createdAt: now,
      secret: true,
    },
  );
};
