import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { JobHandler } from '#domain/jobs/port.ts';
import { takeover } from './takeover.ts';
import { bossTables } from './pg-boss-tables.ts';
import type { ActiveJob } from './pg-boss-tables.ts';

/** Interval of the heartbeat that every worker sends for its job. */
export const heartbeatSeconds = 2;
const thawEveryMs = 10_000;
const { silentMs, lookEveryMs } = takeover.postgres;

export interface Rescue {
  watch: (handler: JobHandler) => void;
  stop: () => void;
}

/**
 * Retries the jobs of killed workers sooner than pg-boss, whose shortest lease is 10 s plus a supervision pass.
 * Only our own observations count, no clocks are compared, and a failed check discards them all, so a database
 * outage fails no jobs. Failing a job is fenced: one that has continued is left alone.
 */
export const startRescue = (boss: PgBoss, log: Logger): Rescue => {
  const tables = bossTables(boss);
  const handlers = new Map<string, JobHandler>();
  let seen = new Map<string, { beat: string; since: number }>();
  let looking = false;
  let thawedAt = -Infinity;

  const thaw = async () => {
    if (performance.now() - thawedAt < thawEveryMs) return;
    const count = await tables.thaw([...handlers.keys()]);
    if (count > 0) log.warn({ count }, 'the clock of the database has gone back, jobs continue');
    thawedAt = performance.now();
  };

  const takeAway = async ({ name, id, retryCount, isLast }: ActiveJob) => {
    log.warn({ job: name, id, isLast }, 'the process of a job was killed');
    await boss.fail(name, { id, retryCount }, { message: 'the process was killed' });
    if (isLast) await handlers.get(name)?.abandoned?.(id);
    // What was killed did not fail: another process takes it over without the delay of a retry.
    else await boss.update(name, undefined, { id, startAfter: 0 });
  };

  const look = async () => {
    const jobs = await tables.active([...handlers.keys()]);
    const now = performance.now();
    const next: typeof seen = new Map();
    for (const job of jobs) {
      const key = `${job.id} ${job.retryCount}`;
      const before = seen.get(key);
      const since = before?.beat === job.beat ? before.since : now;
      next.set(key, { beat: job.beat, since });
      if (now - since < silentMs) continue;
      await takeAway(job);
    }
    seen = next;
  };

  const timer = setInterval(() => {
    if (looking || handlers.size === 0) return;
    looking = true;
    look()
      .then(thaw)
      .catch((error: unknown) => {
        seen = new Map();
        log.debug({ err: error }, 'could not check for vanished workers');
      })
      .finally(() => {
        looking = false;
      });
  }, lookEveryMs);

  return {
    watch: (handler) => void handlers.set(handler.contract.name, handler),
    stop: () => clearInterval(timer),
  };
};
