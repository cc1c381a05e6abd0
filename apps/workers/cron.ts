/** Scheduled jobs: one file in `jobs/` with contract, schedule and work, and no other registration. */
import { z } from 'zod';
import type { Context } from '#data/context.ts';
import type { Tx } from '#store/postgres/sql.ts';
import type { Tick } from '#store/queue/ticks.ts';
import { slotAt } from '#store/schedule/slots.ts';
import { defineJob } from '#domain/jobs/port.ts';
import type { JobContract } from '#domain/jobs/port.ts';
import { slotKey } from '#domain/schedule/claims.ts';
import type { Slot } from '#domain/schedule/claims.ts';
import { addSeconds } from '#domain/time.ts';
import { handle } from './handle.ts';
import type { WorkerJob, WorkerRun } from './handle.ts';

const payloadSchema = z.object({ slot: z.iso.datetime() });

interface CronSchedule {
  name: string;
  /** Five cron fields, UTC. */
  cron: string;
  /** Offsets from each tick in seconds; several for a job that runs more than once a minute. */
  atSeconds?: readonly number[];
  timeoutSeconds: number;
  /** Maximum runs of a slot, 3 by default. */
  attempts?: number;
  backoffSeconds?: number;
}

/**
 * A job that only its schedule enqueues. Each slot runs once, however many workers there are. Throws for a schedule
 * that never fires.
 */
export const cronJob = (
  schedule: CronSchedule,
  work: (run: WorkerRun<z.output<typeof payloadSchema>>) => Promise<void>,
): WorkerJob => {
  const { name, cron, atSeconds = [0], timeoutSeconds, attempts = 3, backoffSeconds = 10 } = schedule;
  slotAt(cron, new Date());
  const contract = defineJob({
    name,
    lane: 'durable',
    payload: payloadSchema,
    attempts,
    backoffSeconds,
    timeoutSeconds,
    dedupeKey: ({ slot }) => slot,
    keepFailedDays: 7,
  });
  return { ...handle(contract, work), cron: { fields: cron, atSeconds } };
};

/** Enqueues the coming runs of a slot, and one run for all that were missed. */
export const enqueueSlot = async (
  { jobs, clock }: Pick<Context, 'jobs' | 'clock'>,
  tx: Tx,
  { contract, atSeconds, slot }: { contract: JobContract; atSeconds: readonly number[]; slot: Slot },
): Promise<void> => {
  const elapsed = Math.max(0, (clock.now().getTime() - slot.at.getTime()) / 1_000);
  const passed = atSeconds.filter((second) => second <= elapsed).slice(-1);
  for (const second of [...passed, ...atSeconds.filter((later) => later > elapsed)]) {
    const at = addSeconds(slot.at, second);
    const delaySeconds = Math.max(0, Math.round(second - elapsed));
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
          enqueue: (tx, slot) => enqueueSlot(context, tx, { contract, atSeconds: cron.atSeconds, slot }),
        }
      : [],
  );
