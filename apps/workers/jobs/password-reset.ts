import { passwordReset } from '#domain/jobs/password-reset.ts';
import { linkLifeSeconds, pauseBetweenMailsSeconds, resetLink, resetMail } from '#domain/users/reset-mail.ts';
import { addSeconds } from '#domain/time.ts';
import { hashOfResetToken, newResetToken } from '#data/auth/reset-tokens.ts';
import { queueMail } from '#data/mail/queue-mail.ts';
import { passwordResetSteps } from '#data/postgres/users/password-resets.ts';
import { handle } from '../handle.ts';

/** No account, or a mail in the last 15 minutes: no mail, and nobody outside can tell. */
export default handle(passwordReset, ({ payload: { requestId }, ctx }) =>
  ctx.postgres.transaction(async (tx) => {
    const steps = passwordResetSteps(tx);
    const request = await steps.takeRequest(requestId);
    const account = request && (await steps.lockAccount(request.email));
    if (!account) return;
    const now = ctx.clock.now();
    const since = addSeconds(request.requestedAt, -pauseBetweenMailsSeconds);
    if (await steps.wasMailedSince(account.userId, since)) return;
    const token = newResetToken();
    const id = await steps.add({
      userId: account.userId,
      tokenHash: hashOfResetToken(token),
      returnUrl: request.returnUrl,
      createdAt: now,
      expiresAt: addSeconds(now, linkLifeSeconds),
    });
    await queueMail(tx, ctx.jobs, {
      ...resetMail(account.firstname, resetLink(ctx.config.WEB_BASE_URL, token)),
      to: account.email,
      key: `password-reset:${id}`,
      createdAt: now,
      secret: true,
    });
  }),
);
