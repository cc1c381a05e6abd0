import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { thawJobs } from './pg-boss-thaw.ts';

/** Interval of the heartbeat that every worker sends for its job. */
export const heartbeatSeconds = 2;
const lookEveryMs = 1_000;
const thawEveryMs = 10_000;
/** A job whose heartbeat we have seen unchanged for three intervals belongs to a crashed worker. */
const deadAfterMs = 3 * heartbeatSeconds * 1_000;

interface ActiveJob {
  id: string;
  name: string;
  retryCount: number;
  beat: string;
}

const activeStatement = `
  SELECT id, name, retry_count AS "retryCount", coalesce(heartbeat_on, started_on)::text AS beat
  FROM pgboss.job WHERE state = 'active' AND name = ANY($1)`;

/** Keeps the statement above cheap: only active jobs are in it. */
export const activeIndexStatement = `
  CREATE INDEX IF NOT EXISTS job_active_by_name ON pgboss.job (name) WHERE state = 'active'`;

export interface Rescue {
  watch: (queue: string) => void;
  stop: () => void;
}

/**
 * Retries the jobs of killed workers sooner than pg-boss, whose shortest lease is 10 s plus a supervision pass.
 * Only our own observations count, no clocks are compared, and a failed check discards them all, so a database
 * outage fails no jobs. Failing a job is fenced: one that has continued is left alone.
 */
export const startRescue = (boss: PgBoss, log: Logger): Rescue => {
  const queues = new Set<string>();
  let seen = new Map<string, { beat: string; since: number }>();
  let looking = false;
  let thawedAt = -Infinity;

  const thaw = async () => {
    if (performance.now() - thawedAt < thawEveryMs) return;
    await thawJobs(boss, [...queues], log);
    thawedAt = performance.now();
  };

  const look = async () => {
    const { rows } = await boss.getDb().executeSql(activeStatement, [[...queues]]);
    const now = performance.now();
    const next: typeof seen = new Map();
    for (const job of rows as ActiveJob[]) {
      const key = `${job.id} ${job.retryCount}`;
      const before = seen.get(key);
      const since = before?.beat === job.beat ? before.since : now;
      next.set(key, { beat: job.beat, since });
      if (now - since < deadAfterMs) continue;
      log.warn({ job: job.name, id: job.id }, 'worker vanished, its job is retried');
      await boss.fail(
        job.name,
        { id: job.id, retryCount: job.retryCount },
        { message: 'the worker vanished' },
      );
    }
    seen = next;
  };

  const timer = setInterval(() => {
    if (looking || queues.size === 0) return;
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

  return { watch: (queue) => void queues.add(queue), stop: () => clearInterval(timer) };
};
