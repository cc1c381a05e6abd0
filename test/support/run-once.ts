import type { Context } from '#data/context.ts';
import type { WorkerJob } from '#workers/worker-job.ts';

/** Runs a handler with a payload like the queue would. */
export const runOnce = (job: WorkerJob, ctx: Context, payload: unknown): Promise<void> =>
  job.bind(ctx).run({
    payload: job.contract.payload.parse(payload),
    id: '00000000-0000-4000-8000-000000000001',
    attempt: 1,
    signal: new AbortController().signal,
  });
