/** Jobs of the workers: one file in `jobs/` each, and no other registration. A scheduled one has its contract there. */
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Context } from '#data/context.ts';
import { loadFolder } from '#platform/load-folder.ts';
import type { Tx } from '#store/postgres/sql.ts';
import type { Tick } from '#store/queue/ticks.ts';
import { slotAt } from '#store/schedule/slots.ts';
import { defineJob } from '#domain/jobs/port.ts';
import type { JobContract, JobHandler, JobRun } from '#domain/jobs/port.ts';
import { slotKey } from '#domain/schedule/claims.ts';
import type { Slot } from '#domain/schedule/claims.ts';
import { addSeconds } from '#domain/time.ts';

export interface WorkerRun<Payload> extends JobRun<Payload> {
  ctx: Context;
  /** Logs job, id and attempt. */
  log: Logger;
}

export interface WorkerJob {
  contract: JobContract;
  /** Schedule of the job, if any. */
  cron?: { fields: string; everySeconds: number };
  bind: (ctx: Context) => JobHandler;
}

/** Binds a handler to its contract; the default export of every file in `jobs/`. */
export const handle = <Payload extends z.ZodType>(
  contract: JobContract<Payload>,
  work: (run: WorkerRun<z.output<Payload>>) => Promise<void>,
): WorkerJob => ({
  contract,
  bind: (ctx) => ({
    contract,
    run: async (run) => {
      const log = ctx.log.child({ job: contract.name, id: run.id, attempt: run.attempt });
      const started = performance.now();
      // The queue has parsed the payload with this contract's schema.
      await work({ ...run, payload: run.payload as z.output<Payload>, ctx, log });
      log.debug({ durationMs: Math.round(performance.now() - started) }, 'job done');
    },
  }),
});

const payloadSchema = z.object({ slot: z.iso.datetime() });

interface CronSchedule extends Partial<Pick<JobContract, 'attempts' | 'backoffSeconds'>> {
  name: string;
  /** Five cron fields, UTC. */
  cron: string;
  /** For a job that runs more than once in the minute of its tick. */
  everySeconds?: number;
  timeoutSeconds: number;
}

/**
 * A job that only its schedule enqueues. Each slot runs once, however many workers there are. Throws for a schedule
 * that never fires.
 */
export const cronJob = (
  { cron, everySeconds = 60, ...limits }: CronSchedule,
  work: (run: WorkerRun<z.output<typeof payloadSchema>>) => Promise<void>,
): WorkerJob => {
  slotAt(cron, new Date());
  const contract = defineJob({
    lane: 'durable',
    payload: payloadSchema,
    attempts: 3,
    backoffSeconds: 10,
    dedupeKey: ({ slot }) => slot,
    keepFailedDays: 7,
    ...limits,
  });
  return { ...handle(contract, work), cron: { fields: cron, everySeconds } };
};

/** One transaction per batch, until one is not full or the run is aborted; returns the sum of what `work` returned. */
export const inBatches = async (
  { ctx, signal }: Pick<WorkerRun<unknown>, 'ctx' | 'signal'>,
  size: number,
  work: (tx: Tx) => Promise<number>,
): Promise<number> => {
  let total = 0;
  for (let batch = size; batch >= size && !signal.aborted; total += batch)
    batch = await ctx.postgres.transaction(work);
  return total;
};

/** Enqueues the coming runs of a slot, and one run for all that were missed. */
export const enqueueSlot = async (
  { jobs, clock }: Pick<Context, 'jobs' | 'clock'>,
  tx: Tx,
  { contract, everySeconds, slot }: { contract: JobContract; everySeconds: number; slot: Slot },
): Promise<void> => {
  const elapsed = Math.max(0, (clock.now().getTime() - slot.at.getTime()) / 1_000);
  const passed = Math.floor(elapsed / everySeconds) * everySeconds;
  for (let second = Math.min(passed, 60 - everySeconds); second < 60; second += everySeconds) {
    const at = addSeconds(slot.at, second);
    const delaySeconds = Math.round(second - elapsed);
    const dedupeKey = slotKey({ at, round: slot.round });
    const options = delaySeconds > 0 ? { dedupeKey, delaySeconds } : { dedupeKey };
    await jobs.enqueue(tx, contract, { slot: at.toISOString() }, options);
  }
};

/** Ticks of these jobs. */
export const cronTicks = (context: Pick<Context, 'jobs' | 'clock'>, jobs: readonly WorkerJob[]): Tick[] =>
  jobs.flatMap(({ contract, cron }) =>
    cron
      ? {
          name: contract.name,
          cron: cron.fields,
          enqueue: (tx, slot) =>
            enqueueSlot(context, tx, { contract, everySeconds: cron.everySeconds, slot }),
        }
      : [],
  );

const isWorkerJob = (value: unknown): value is WorkerJob =>
  typeof value === 'object' && value !== null && 'bind' in value && 'contract' in value;

/** All handlers in `jobs/`. Startup fails unless each file exports the job of its name, with `-` for `.`. */
export const loadWorkerJobs = async (folder = join(import.meta.dirname, 'jobs')): Promise<WorkerJob[]> =>
  (await loadFolder(folder)).map(({ name, module: { default: job } }) => {
    if (!isWorkerJob(job) || job.contract.name.replaceAll('.', '-') !== name)
      throw new Error(`jobs/${name}.ts must default-export the job ${name.replace('-', '.')}`);
    return job;
  });
