import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { JobHandler } from '#domain/jobs/port.ts';
import { takeover } from './takeover.ts';
import { thawJobs } from './pg-boss-thaw.ts';

/** Interval of the heartbeat that every worker sends for its job. */
export const heartbeatSeconds = 2;
const thawEveryMs = 10_000;
const { silentMs, lookEveryMs } = takeover.postgres;

interface ActiveJob {
  id: string;
  name: string;
  retryCount: number;
  isLast: boolean;
  beat: string;
}

const activeStatement = `
  SELECT id, name, retry_count AS "retryCount", retry_count >= retry_limit AS "isLast", coalesce(heartbeat_on, started_on)::text AS beat
  FROM pgboss.job WHERE state = 'active' AND name = ANY($1)`;

/** What was killed did not fail: another process takes it over without the delay of a retry. */
const retryNowStatement = `
  UPDATE pgboss.job SET start_after = pgboss.job_now()
  WHERE name = $1 AND id = $2 AND state = 'retry' AND retry_count = $3`;

/** Keeps the statement above cheap: only active jobs are in it. */
export const activeIndexStatement = `
  CREATE INDEX IF NOT EXISTS job_active_by_name ON pgboss.job (name) WHERE state = 'active'`;

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
  const handlers = new Map<string, JobHandler>();
  let seen = new Map<string, { beat: string; since: number }>();
  let looking = false;
  let thawedAt = -Infinity;

  const thaw = async () => {
    if (performance.now() - thawedAt < thawEveryMs) return;
    await thawJobs(boss, [...handlers.keys()], log);
    thawedAt = performance.now();
  };

  const takeAway = async ({ name, id, retryCount, isLast }: ActiveJob) => {
    log.warn({ job: name, id, isLast }, 'the process of a job was killed');
    await boss.fail(name, { id, retryCount }, { message: 'the process was killed' });
    if (isLast) await handlers.get(name)?.abandoned?.(id);
    else await boss.getDb().executeSql(retryNowStatement, [name, id, retryCount]);
  };

  const look = async () => {
    const { rows } = await boss.getDb().executeSql(activeStatement, [[...handlers.keys()]]);
    const now = performance.now();
    const next: typeof seen = new Map();
    for (const job of rows as ActiveJob[]) {
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
