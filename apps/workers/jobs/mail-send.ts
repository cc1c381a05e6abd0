import { effectWrites, outgoingMailRepo, outgoingMailWrites } from '#store/postgres/mail/outgoing.ts';
import type { UnsentMail } from '#store/postgres/mail/outgoing.ts';
import { persistently } from '#store/postgres/repeat.ts';
import { MailRefusedError, UnrecoverableError } from '#domain/errors.ts';
import { mailSend, unansweredLimit } from '#domain/jobs/contracts.ts';
import { handle } from '../worker-job.ts';
import type { WorkerRun } from '../worker-job.ts';

type Run = WorkerRun<{ mailId: number }>;

/** Resolves when the server's acceptance is stored. */
const send = async ({ mail, state, unanswered }: UnsentMail, run: Run): Promise<void> => {
  const { ctx, log, signal, payload } = run;
  const { mailId } = payload;
  if (state === 'sending' && unanswered % unansweredLimit === 0) {
    await ctx.postgres.single((tx) => outgoingMailWrites(tx).giveUp(mailId));
    throw new UnrecoverableError(
      `The mail was sent ${unanswered} times without an answer of the mail server, so it may have arrived`,
    );
  }
  let hadData = false;
  const onData = async () => {
    await ctx.postgres.single((tx) => outgoingMailWrites(tx).markSending(mailId));
    hadData = true;
    if (unanswered > 0) log.warn({ mailId, unanswered }, 'mail is sent again, may be a duplicate');
  };
  try {
    const answer = await ctx.mail.send(mail, { onData, signal });
    await persistently(
      () => ctx.postgres.single((tx) => outgoingMailWrites(tx).markAnswered(mailId, answer)),
      run,
    );
  } catch (error) {
    if (!(error instanceof MailRefusedError)) throw error;
    const { message, isFinal } = error;
    const refuse = () =>
      ctx.postgres.single((tx) => outgoingMailWrites(tx).markRefused(mailId, message, isFinal, hadData));
    await persistently(refuse, run);
    const text = `The mail server refused the mail: ${message}`;
    throw isFinal ? new UnrecoverableError(text, { cause: error }) : new Error(text, { cause: error });
  }
};

/**
 * One run at a time per mail. The state is stored before sending and as soon as the server has answered, so a run that
 * takes over resends only what has no known answer, with the same Message-ID.
 */
export default handle(mailSend, async (run) => {
  const { ctx, log, payload } = run;
  const { mailId } = payload;
  await ctx.postgres.exclusive(`mail:${mailId}`, async () => {
    const unsent = await outgoingMailRepo(ctx.postgres.db).unsent(mailId);
    if (!unsent) {
      log.debug({ mailId }, 'mail had already been sent');
      return;
    }
    if (unsent.state !== 'answered') await send(unsent, run);
    await ctx.postgres.transaction(async (tx) => {
      const now = ctx.clock.now();
      await effectWrites(tx).claim('mail', unsent.mail.key, now);
      await outgoingMailWrites(tx).markSent(mailId, now);
    });
  });
});
