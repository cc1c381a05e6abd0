import { sweepBatch, sweepRepo, sweepWrites } from '#data/postgres/sweeps/sweeps.ts';
import { addSeconds } from '#domain/time.ts';
import { cronJob } from '../cron.ts';

const day = 86_400;
const calculationsAtOnce = 200;

/**
 * Deletes request logs after 3 days, calculations with their drawings after 30 days; both are kept while a
 * report on them is open.
 */
export default cronJob(
  { name: 'sweep.logs', cron: '17 * * * *', timeoutSeconds: 300 },
  async ({ ctx, signal, log }) => {
    const { postgres, storage } = ctx;
    const now = ctx.clock.now();
    const calculationsBefore = addSeconds(now, -30 * day);
    let logs = 0;
    for (let batch = sweepBatch; batch >= sweepBatch && !signal.aborted; logs += batch) {
      batch = await postgres.transaction((tx) =>
        sweepWrites(tx).deleteLogs(addSeconds(now, -3 * day), calculationsBefore),
      );
    }
    const texts = await postgres.transaction((tx) => sweepWrites(tx).deleteLogTexts(addSeconds(now, -day)));
    let calculations = 0;
    while (!signal.aborted) {
      const expired = await sweepRepo(postgres.db).expiredCalculations(
        calculationsBefore,
        calculationsAtOnce,
      );
      if (expired.length === 0) break;
      // Files first: after a crash in between the rows remain, and the next sweep continues.
      for (const path of expired.flatMap(({ paths }) => paths)) await storage.delete(path);
      await postgres.transaction((tx) => sweepWrites(tx).emptyCalculations(expired.map(({ id }) => id)));
      calculations += expired.length;
    }
    log.info({ logs, texts, calculations }, 'old logs deleted');
  },
);
