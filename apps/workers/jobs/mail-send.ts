import { effectWrites } from '#data/postgres/mail/effects.ts';
import { outgoingMailRepo, outgoingMailWrites } from '#data/postgres/mail/outgoing.ts';
import { mailSend } from '#domain/jobs/mail-send.ts';
import { handle } from '../handle.ts';

/**
 * Claim, send and mark in one transaction: a crash before the commit rolls the claim back, and the mail is sent
 * again under the same key (one .eml file, one Message-ID), never under another.
 */
export default handle(mailSend, async ({ payload: { mailId }, ctx, log }) => {
  await ctx.postgres.transaction(async (tx) => {
    const mails = outgoingMailWrites(tx);
    await mails.allowIdleSeconds(mailSend.timeoutSeconds);
    const mail = await outgoingMailRepo(tx).unsent(mailId);
    if (!mail || !(await effectWrites(tx).claim('mail', mail.key, ctx.clock.now()))) {
      log.debug({ mailId }, 'mail had already been sent');
      return;
    }
    await ctx.mail.send(mail);
    await mails.markSent(mailId, ctx.clock.now());
  });
});
