import { historyBatch, sweepWrites } from '#store/postgres/sweeps/sweeps.ts';
import { wholeHistoryDays } from '#domain/flight-data/flight-data.ts';
import { addSeconds } from '#domain/time.ts';
import { cronJob } from '../cron.ts';

const day = 86_400;

/** Thins the history of flight data: for each day older than seven days, only the last change remains (ADR 13). */
export default cronJob(
  { name: 'sweep.flight-data', cron: '27 * * * *', timeoutSeconds: 300 },
  async ({ ctx, signal, log }) => {
    const today = Math.floor(ctx.clock.now().getTime() / (day * 1_000));
    const before = addSeconds(new Date(today * day * 1_000), -wholeHistoryDays * day);
    let seen = 0;
    // One transaction per batch, until one is not full.
    for (let batch = historyBatch; batch >= historyBatch && !signal.aborted; seen += batch)
      batch = await ctx.postgres.transaction((tx) => sweepWrites(tx).thinFlightData(before));
    if (seen > 0) log.info({ changes: seen }, 'history of flight data thinned');
  },
);
