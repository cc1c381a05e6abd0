import type { PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { UnavailableError } from '#domain/errors.ts';
import { oneLineOf } from '../feeds/source-error.ts';

/** Without `started_on` the next claim does not count as a retry, as after pg-boss's own `restore`. */
const postponeStatement = `
  UPDATE pgboss.job
  SET state = 'retry', started_on = NULL, heartbeat_on = NULL, start_after = now() + $4::int * interval '1 s',
    output = jsonb_build_object('message', $5::text)
  WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3
  RETURNING id`;

/**
 * Returns a running job to its queue for a later run that is not counted as an attempt. False when the database could
 * not even store that, or another worker has the job: then it fails, or is rescued, as usual.
 */
export const postponeOn =
  (boss: PgBoss, log: Logger) =>
  async (
    queue: string,
    job: { id: string; retryCount: number },
    error: UnavailableError,
  ): Promise<boolean> => {
    try {
      const values = [queue, job.id, job.retryCount, error.retryAfterSeconds, oneLineOf(error)];
      return (await boss.getDb().executeSql(postponeStatement, values)).rows.length > 0;
    } catch (failure) {
      log.warn({ err: failure, job: queue, id: job.id }, 'a job could not be postponed');
      return false;
    }
  };
