import { join } from 'node:path';
import { fileWriteWrites } from '#store/storage/with-new-file.ts';
import { retentions } from '#store/postgres/sweeps/retentions.ts';
import { sweepBatch, sweepWrites } from '#store/postgres/sweeps/sweeps.ts';
import { sweepFiles } from '#store/storage/sweep.ts';
import { addSeconds, daySeconds } from '#domain/time.ts';
import { cronJob, inBatches } from '../worker-job.ts';

/** No write takes this long, so older temporary files are orphans. */
const leftoverSeconds = 3_600;
/** Few enough that the transaction is short on a slow store. */
const filesPerSweep = 50;

/** Deletes expired rows and orphaned files. */
export default cronJob({ name: 'sweep.expired', cron: '*/10 * * * *', timeoutSeconds: 300 }, async (run) => {
  const { ctx, log } = run;
  const now = ctx.clock.now();
  const deleted: Record<string, number> = {};
  for (const retention of retentions) {
    const end = addSeconds(now, -retention.days * daySeconds);
    const { table } = retention;
    const count = await inBatches(run, sweepBatch, (tx) => sweepWrites(tx).deleteExpired(retention, end));
    deleted[table] = (deleted[table] ?? 0) + count;
  }
  log.info(deleted, 'expired rows deleted');

  const before = addSeconds(now, -leftoverSeconds);
  const withoutRow = await inBatches(run, filesPerSweep, async (tx) => {
    const keys = await fileWriteWrites(tx).takeLost(before, filesPerSweep);
    // Before the commit, so that a file that cannot be deleted now is retried.
    await Promise.all(keys.map((key) => ctx.storage.delete(key)));
    return keys.length;
  });
  if (withoutRow > 0) log.info({ files: withoutRow }, 'files without a row deleted');
  const { files, folders } = await ctx.storage.sweep(before);
  let others = 0;
  for (const folder of [ctx.config.DATA_DIR, join(ctx.config.DATA_DIR, 'outbox')])
    others += await sweepFiles(folder, before);
  if (files + folders + others > 0)
    log.info({ files, folders, others }, 'leftovers of killed processes deleted');
});
