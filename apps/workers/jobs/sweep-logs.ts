import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '#data/context.ts';
import { logDayRepo, logDayWrites, requestLogRepo, requestLogWrites } from '#store/postgres/requests/log.ts';
import type { LogDay } from '#store/postgres/requests/log.ts';
import { sweepBatch, sweepRepo, sweepWrites } from '#store/postgres/sweeps/sweeps.ts';
import { codeOf } from '#domain/errors.ts';
import { addSeconds, daySeconds } from '#domain/time.ts';
import { cronJob, inBatches } from '../worker-job.ts';

const calculationsAtOnce = 500;
/** Minimum retention of a row (M-8.23); it is deleted with the last row of its day. */
const keptDays = { calls: 3, calculations: 30 } as const;
const daysAhead = 3;
const dropAttempts = 10;
const dropPauseMs = 200;

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

type Databases = Pick<Context, 'postgres' | 'clock'>;

/** Creates the partitions of today and the next days. */
const makeLogDays = async ({ postgres, clock }: Databases): Promise<void> => {
  for (let ahead = 0; ahead <= daysAhead; ahead += 1) {
    const day = dayOf(addSeconds(clock.now(), ahead * daySeconds));
    await postgres.transaction((tx) => logDayWrites(tx).make(day));
  }
};

/** Code of Postgres for a table that a reader keeps locked. */
const lockedCode = '55P03';

/** Copies the rows that open reports refer to. */
const keepReported = async ({ postgres }: Databases, day: LogDay): Promise<void> => {
  for (;;) {
    const ids = await logDayRepo(postgres.db).reported(day);
    if (ids.length === 0) return;
    for (const id of ids) {
      const row = await requestLogRepo(postgres.db).byId(id);
      if (row) await postgres.transaction((tx) => requestLogWrites(tx).keep(row));
    }
  }
};

/** False if a reader kept the partition locked; the next sweep tries again. */
const dropLogDay = async (databases: Databases, day: LogDay, signal: AbortSignal): Promise<boolean> => {
  for (let attempt = 0; attempt < dropAttempts && !signal.aborted; attempt += 1) {
    // The drop returns false if a report was opened in between.
    await keepReported(databases, day);
    try {
      if (await databases.postgres.transaction((tx) => logDayWrites(tx).drop(day))) return true;
    } catch (error) {
      if (codeOf(error) !== lockedCode) throw error;
      await sleep(dropPauseMs);
    }
  }
  return false;
};

/** The days whose rows have all expired. */
const expiredDays = async ({ postgres, clock }: Databases): Promise<LogDay[]> =>
  (await logDayRepo(postgres.db).all()).filter(({ day, isCalculation }) => {
    const days = isCalculation ? keptDays.calculations : keptDays.calls;
    return addSeconds(new Date(`${day}T00:00:00Z`), (days + 1) * daySeconds) <= clock.now();
  });

/**
 * Creates partitions for the next days and drops expired ones: request logs after 3 days and logs of calculations after
 * 30, counted from the last row of a day. Deletes calculations and their drawings after 30 days, but keeps counting
 * them. Rows of open reports are kept.
 */
export default cronJob({ name: 'sweep.logs', cron: '17 * * * *', timeoutSeconds: 300 }, async (run) => {
  const { ctx, signal, log } = run;
  const { postgres, storage } = ctx;
  const calculationsBefore = addSeconds(ctx.clock.now(), -keptDays.calculations * daySeconds);
  await makeLogDays(ctx);
  const dropped: LogDay[] = [];
  const locked: LogDay[] = [];
  for (const day of await expiredDays(ctx))
    ((await dropLogDay(ctx, day, signal)) ? dropped : locked).push(day);
  if (locked.length > 0) log.warn({ days: locked }, 'expired days of the request log are locked');
  const kept = await inBatches(run, sweepBatch, (tx) => logDayWrites(tx).deleteKept());
  let calculations = 0;
  while (!signal.aborted) {
    const expired = await sweepRepo(postgres.db).expiredCalculations(calculationsBefore, calculationsAtOnce);
    if (expired.length === 0) break;
    // Files first: if the process dies in between, the rows remain and the next sweep continues.
    for (const path of expired.flatMap(({ paths }) => paths)) await storage.delete(path);
    await postgres.transaction((tx) => sweepWrites(tx).countCalculations(expired.map(({ id }) => id)));
    calculations += expired.length;
  }
  log.info({ days: dropped.length, kept, calculations }, 'old logs deleted');
});
