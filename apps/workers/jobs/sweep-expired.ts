import { join } from 'node:path';
import { fileWriteWrites } from '#store/postgres/storage/file-writes.ts';
import { tableOf } from '#store/postgres/sweeps/retention.ts';
import { retentions } from '#store/postgres/sweeps/retentions.ts';
import { sweepBatch, sweepWrites } from '#store/postgres/sweeps/sweeps.ts';
import { sweepFiles } from '#store/storage/sweep.ts';
import { addSeconds } from '#domain/time.ts';
import { cronJob } from '../cron.ts';

const day = 86_400;
/** No write takes this long, so older temporary files are orphans. */
const leftoverSeconds = 3_600;
/** Few enough that the transaction is short on a slow store. */
const filesPerSweep = 50;

/** Deletes expired rows and orphaned files. */
export default cronJob(
  { name: 'sweep.expired', cron: '*/10 * * * *', timeoutSeconds: 300 },
  async ({ ctx, signal, log }) => {
    const now = ctx.clock.now();
    const deleted: Record<string, number> = {};
    for (const retention of retentions) {
      const end = addSeconds(now, -retention.days * day);
      let total = 0;
      // One transaction per batch, until one is not full.
      for (let batch = sweepBatch; batch >= sweepBatch && !signal.aborted; total += batch)
        batch = await ctx.postgres.transaction((tx) => sweepWrites(tx).deleteExpired(retention, end));
      const table = tableOf(retention);
      deleted[table] = (deleted[table] ?? 0) + total;
    }
    log.info(deleted, 'expired rows deleted');

    const before = addSeconds(now, -leftoverSeconds);
    let withoutRow = 0;
    for (let found = 1; found > 0 && !signal.aborted; withoutRow += found)
      found = await ctx.postgres.transaction(async (tx) => {
        const keys = await fileWriteWrites(tx).takeLost(before, filesPerSweep);
        // Before the commit: a file that cannot be deleted now is tried again.
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
  },
);
