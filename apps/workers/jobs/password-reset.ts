import { queueMail } from '#commands/mail.ts';
import { passwordReset } from '#domain/jobs/contracts.ts';
import { addSeconds } from '#domain/time.ts';
import { linkLifeSeconds, pauseBetweenMailsSeconds, resetLink, resetMail } from '#domain/users/mails.ts';
import { hashOfSecret, newSecret } from '#store/auth/secrets.ts';
import { passwordResetRepo, passwordResetWrites } from '#store/postgres/users/password-resets.ts';
import { handle } from '../worker-job.ts';

/**
 * Handles a request for a new password by mailing a link. Without an account, or after a mail in the last 15
 * minutes, no mail is sent; from outside, the cases are indistinguishable.
 */
export default handle(passwordReset, ({ payload: { requestId }, ctx }) =>
  ctx.postgres.transaction(async (tx) => {
    const resets = passwordResetWrites(tx);
    const request = await resets.takeRequest(requestId);
    const account = request && (await resets.lockAccount(request.email));
    if (!account) return;
    const since = addSeconds(request.requestedAt, -pauseBetweenMailsSeconds);
    if (await passwordResetRepo(tx).wasMailedSince(account.userId, since)) return;
    const createdAt = ctx.clock.now();
    const token = newSecret();
    const id = await resets.add({
      userId: account.userId,
      tokenHash: hashOfSecret(token),
      returnUrl: request.returnUrl,
      application: request.application,
      createdAt,
      expiresAt: addSeconds(createdAt, linkLifeSeconds),
    });
    await queueMail(tx, ctx, {
      ...resetMail(account.firstname, resetLink(ctx.config.WEB_BASE_URL, token)),
      to: account.email,
      key: `password-reset:${id}`,
      createdAt,
      secret: true,
    });
  }),
);
