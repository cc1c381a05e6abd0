import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';

/**
 * Jobs from before the database's clock went back: what waits has a start in the future and would be left alone until
 * the clock has caught up. Each keeps the delay that it was given.
 */
const thawStatement = `
  UPDATE pgboss.job SET
    start_after = pgboss.job_now() + (start_after - greatest(created_on, started_on)),
    created_on = least(created_on, pgboss.job_now()),
    started_on = least(started_on, pgboss.job_now())
  WHERE name = ANY($1) AND state < 'active' AND start_after > pgboss.job_now()
    AND greatest(created_on, started_on) > pgboss.job_now() + interval '1 second'
  RETURNING name`;

/** Lets the waiting jobs of these queues run that only wait because the clock went back. */
export const thawJobs = async (boss: PgBoss, queues: readonly string[], log: Logger): Promise<void> => {
  const { rows } = await boss.getDb().executeSql(thawStatement, [queues]);
  if (rows.length > 0)
    log.warn({ count: rows.length }, 'the clock of the database has gone back, jobs continue');
};
