import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Context } from '#data/context.ts';
import type { JobContract, JobHandler, JobRun } from '#domain/jobs/port.ts';

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
