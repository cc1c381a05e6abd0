import { historyBatch, sweepWrites } from '#store/postgres/sweeps/sweeps.ts';
import { wholeHistoryDays } from '#domain/flight-data/flight-data.ts';
import { addSeconds, daySeconds } from '#domain/time.ts';
import { cronJob, inBatches } from '../worker-job.ts';

/** Thins the history of flight data: for each day older than seven days, only the last change remains (ADR 13). */
export default cronJob(
  { name: 'sweep.flight-data', cron: '27 * * * *', timeoutSeconds: 300 },
  async (run) => {
    const today = run.ctx.clock.now();
    today.setUTCHours(0, 0, 0, 0);
    const before = addSeconds(today, -wholeHistoryDays * daySeconds);
    const seen = await inBatches(run, historyBatch, (tx) => sweepWrites(tx).thinFlightData(before));
    if (seen > 0) run.log.info({ changes: seen }, 'history of flight data thinned');
  },
);
