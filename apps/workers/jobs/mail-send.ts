import { claimEffect, outgoingMailRepo } from '#data/postgres/mail/outgoing.ts';
import { sql } from '#data/postgres/sql.ts';
import { mailSend } from '#domain/jobs/mail-send.ts';
import { handle } from '../handle.ts';

/**
 * Claim, send and mark in one transaction: a crash before the commit undoes the claim, and the mail is sent
 * again under the same key (one .eml file, one Message-ID), never under another.
 */
export default handle(mailSend, async ({ payload: { mailId }, ctx, log }) => {
  await ctx.postgres.transaction(async (tx) => {
    // The mail server may take its time; the default limit of an idle transaction is shorter than the job's.
    const limitMs = String(mailSend.timeoutSeconds * 1_000);
    await tx.any(sql`SELECT set_config('idle_in_transaction_session_timeout', ${limitMs}, true)`);
    const mails = outgoingMailRepo(tx);
    const mail = await mails.unsent(mailId);
    if (!mail || !(await claimEffect(tx, 'mail', mail.key, ctx.clock.now()))) {
      log.debug({ mailId }, 'mail was sent before');
      return;
    }
    await ctx.mail.send(mail);
    await mails.markSent(mailId, ctx.clock.now());
  });
});
