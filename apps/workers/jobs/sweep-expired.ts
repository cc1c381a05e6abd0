import { outgoingMailRepo } from '#data/postgres/mail/outgoing.ts';
import { sweepBatch, sweepRepo } from '#data/postgres/sweeps/sweeps.ts';
import { sweepExpired } from '#domain/jobs/sweep-expired.ts';
import { addSeconds } from '#domain/time.ts';
import { handle } from '../handle.ts';

const day = 86_400;

const inBatches = async (deleteBatch: () => Promise<number>, signal: AbortSignal): Promise<number> => {
  let total = 0;
  for (let batch = sweepBatch; batch >= sweepBatch && !signal.aborted; total += batch)
    batch = await deleteBatch();
  return total;
};

/** Used and expired resets stay a day, so that an old link still gets the right error. */
export default handle(sweepExpired, async ({ ctx, signal, log }) => {
  const sweep = sweepRepo(ctx.postgres.db);
  const now = ctx.clock.now();
  const resets = await inBatches(() => sweep.deletePasswordResets(addSeconds(now, -day)), signal);
  const limits = await inBatches(() => sweep.deleteRateLimits(now), signal);
  const mails = await outgoingMailRepo(ctx.postgres.db).deleteSentBefore(addSeconds(now, -30 * day));
  // A mail's claim outlives its row, so that its job can never send it again.
  const effects = await inBatches(() => sweep.deleteEffects('mail', addSeconds(now, -60 * day)), signal);
  log.info({ resets, limits, mails, effects }, 'expired rows deleted');
});
