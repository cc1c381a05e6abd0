import { join } from 'node:path';
import { sweepLostFiles } from '#commands/storage/sweep.ts';
import { sweepBatch, sweepWrites } from '#data/postgres/sweeps/sweeps.ts';
import { sweepFiles } from '#data/storage/sweep.ts';
import { mailSend } from '#domain/jobs/mail-send.ts';
import { windowStart } from '#domain/subscriptions/allowance.ts';
import { addSeconds } from '#domain/time.ts';
import { cronJob } from '../cron.ts';

const day = 86_400;
/** No write takes this long, so its temporary file was left behind. */
const leftoverSeconds = 3_600;

/** Longer than any gateway repeats a message or allows a dispute. */
const gatewayEventDays = 400;
/** They have names and addresses of people; alerts have reported them all the time. */
const parkedEventDays = 180;

/** So long a forecast whose validity has ended is shown, with that mark. */
const endedTafDays = 7;

/** A day after its failed job is gone, no job can send a mail. */
const lostMailDays = (mailSend.keepFailedDays ?? 14) + 1;

/** Used and expired resets are kept for a day, so that an old link still gets the right error. */
export default cronJob(
  { name: 'sweep.expired', cron: '*/10 * * * *', timeoutSeconds: 300 },
  async ({ ctx, signal, log }) => {
    const now = ctx.clock.now();
    /** One transaction per batch, until a batch is not full. */
    const all = async (deleteBatch: (sweep: ReturnType<typeof sweepWrites>) => Promise<number>) => {
      let total = 0;
      for (let batch = sweepBatch; batch >= sweepBatch && !signal.aborted; total += batch)
        batch = await ctx.postgres.transaction((tx) => deleteBatch(sweepWrites(tx)));
      return total;
    };
    const resets = await all((sweep) => sweep.deletePasswordResets(addSeconds(now, -day)));
    const proofs = await all((sweep) => sweep.deleteEmailProofs(addSeconds(now, -day)));
    const sessions = await all((sweep) => sweep.deleteSessions(now));
    const limits = await all((sweep) => sweep.deleteRateLimits(now));
    const confirmations = await all((sweep) => sweep.deleteConfirmations(now));
    const kept = {
      ended: addSeconds(now, -gatewayEventDays * day),
      parked: addSeconds(now, -parkedEventDays * day),
    };
    const events = await all((sweep) => sweep.deleteGatewayEvents(kept));
    const usage = await all((sweep) => sweep.deleteFormerUsage(windowStart(now)));
    const audit = await all((sweep) => sweep.deleteAudit(addSeconds(now, -ctx.config.AUDIT_DAYS * day)));
    const tokens = await all((sweep) => sweep.deleteConsoleTokens(addSeconds(now, -30 * day)));
    const mails = await all((sweep) => sweep.deleteSentMails(addSeconds(now, -30 * day)));
    const uploads = await all((sweep) => sweep.deletePictureUploads(addSeconds(now, -leftoverSeconds)));
    const lost = await all((sweep) => sweep.deleteLostSecretMails(addSeconds(now, -lostMailDays * day)));
    const plans = await all((sweep) => sweep.deleteOfps(now));
    const tafs = await all((sweep) => sweep.deleteTafs(addSeconds(now, -endedTafDays * day)));
    // The claim of a mail outlives its row, so that its job can never send it again.
    const effects = await all((sweep) => sweep.deleteEffects('mail', addSeconds(now, -60 * day)));
    log.info(
      {
        resets,
        proofs,
        sessions,
        limits,
        confirmations,
        events,
        usage,
        audit,
        tokens,
        mails,
        lost,
        uploads,
        plans,
        tafs,
        effects,
      },
      'expired rows deleted',
    );

    const before = addSeconds(now, -leftoverSeconds);
    let withoutRow = 0;
    for (let found = 1; found > 0 && !signal.aborted; withoutRow += found)
      found = await ctx.postgres.transaction((tx) => sweepLostFiles(tx, ctx, { before }));
    if (withoutRow > 0) log.info({ files: withoutRow }, 'files without a row deleted');
    const { files, folders } = await ctx.storage.sweep(before);
    let others = 0;
    for (const folder of [ctx.config.DATA_DIR, join(ctx.config.DATA_DIR, 'outbox')])
      others += await sweepFiles(folder, before);
    if (files + folders + others > 0)
      log.info({ files, folders, others }, 'leftovers of killed processes deleted');
  },
);
