import { logDayWrites } from '#store/postgres/requests/log.ts';
import { sweepBatch, sweepRepo, sweepWrites } from '#store/postgres/sweeps/sweeps.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { addSeconds } from '#domain/time.ts';
import { cronJob } from '../cron.ts';
import { dropLogDays, keptDays, makeLogDays } from '../request-log-days.ts';

const day = 86_400;
const calculationsAtOnce = 500;

/**
 * Creates the partitions of the next days, and drops those of request logs after 3 days and of logs of calculations after
 * 30, when the last row of the day has expired; deletes calculations and their drawings after 30 days, and goes on
 * counting them. What an open report refers to is kept.
 */
export default cronJob(
  { name: 'sweep.logs', cron: '17 * * * *', timeoutSeconds: 300 },
  async ({ ctx, signal, log }) => {
    const { postgres, storage } = ctx;
    const calculationsBefore = addSeconds(ctx.clock.now(), -keptDays.calculations * day);
    /** One transaction per batch, until a batch is not full. */
    const all = async (size: number, deleteBatch: (tx: Tx) => Promise<number>) => {
      let total = 0;
      for (let batch = size; batch >= size && !signal.aborted; total += batch)
        batch = await postgres.transaction(deleteBatch);
      return total;
    };
    await makeLogDays(ctx);
    const { dropped, locked } = await dropLogDays(ctx, signal);
    if (locked.length > 0) log.warn({ days: locked }, 'expired days of the request log are locked');
    const kept = await all(sweepBatch, (tx) => logDayWrites(tx).deleteKept());
    let calculations = 0;
    while (!signal.aborted) {
      const expired = await sweepRepo(postgres.db).expiredCalculations(
        calculationsBefore,
        calculationsAtOnce,
      );
      if (expired.length === 0) break;
      // Files first: after a crash in between the rows remain, and the next sweep continues.
      for (const path of expired.flatMap(({ paths }) => paths)) await storage.delete(path);
      await postgres.transaction((tx) => sweepWrites(tx).countCalculations(expired.map(({ id }) => id)));
      calculations += expired.length;
    }
    log.info({ days: dropped.length, kept, calculations }, 'old logs deleted');
  },
);
