/**
 * Everything that reads or writes the tables of pg-boss directly, because the library has no call for it; ADR 3 has the
 * incident of each part. All else goes through the library.
 */
import type { PgBoss } from 'pg-boss';
import { deadQueue } from './pg-boss-options.ts';
import type { QueueCount } from './types.ts';

/**
 * Version of the schema that these statements were written for. With another one `pg-boss-tables.test.ts` fails: compare
 * the columns and states below with `plans.js` of the library, run the tests of the queues, then change the number.
 */
export const knownSchemaVersion = 43;

export interface ActiveJob {
  id: string;
  name: string;
  retryCount: number;
  isLast: boolean;
  /** Text that changes with every heartbeat. */
  beat: string;
}

export interface JobRow {
  id: string;
  state: string;
}

/** Only active jobs are in it, so that looking at them every second is cheap. */
export const activeIndexStatement = `
  CREATE INDEX IF NOT EXISTS job_active_by_name ON pgboss.job (name) WHERE state = 'active'`;

const activeStatement = `
  SELECT id, name, retry_count AS "retryCount", retry_count >= retry_limit AS "isLast", coalesce(heartbeat_on, started_on)::text AS beat
  FROM pgboss.job WHERE state = 'active' AND name = ANY($1)`;

/** Without `started_on` the next claim does not count as a retry, as after pg-boss's own `restore`. */
const postponeStatement = `
  UPDATE pgboss.job
  SET state = 'retry', started_on = NULL, heartbeat_on = NULL, start_after = now() + $4::int * interval '1 s',
    output = jsonb_build_object('message', $5::text)
  WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3
  RETURNING id`;

const thawStatement = `
  UPDATE pgboss.job SET
    start_after = pgboss.job_now() + (start_after - greatest(created_on, started_on)),
    created_on = least(created_on, pgboss.job_now()),
    started_on = least(started_on, pgboss.job_now())
  WHERE name = ANY($1) AND state < 'active' AND start_after > pgboss.job_now()
    AND greatest(created_on, started_on) > pgboss.job_now() + interval '1 second'
  RETURNING id`;

const countStatement = `
  SELECT q.name AS job, 'postgres' AS store,
    count(j.id) FILTER (WHERE j.state <> 'active' AND j.start_after <= now())::int AS waiting,
    count(j.id) FILTER (WHERE j.state <> 'active' AND j.start_after > now())::int AS delayed,
    count(j.id) FILTER (WHERE j.state = 'active')::int AS active,
    (SELECT count(*) FROM pgboss.job d
      WHERE d.name = $1 AND d.source_name = q.name AND d.state IN ('created', 'retry'))::int AS dead
  FROM pgboss.queue q
  LEFT JOIN pgboss.job j ON j.name = q.name AND j.state IN ('created', 'retry', 'active')
  WHERE q.name <> $1 AND NOT starts_with(q.name, '__pgboss')
  GROUP BY q.name ORDER BY q.name`;

const findStatement = `SELECT id, state FROM pgboss.job WHERE name = $1 AND id = ANY($2::uuid[])`;

export interface BossTables {
  /** Running jobs of these queues. */
  active: (queues: readonly string[]) => Promise<ActiveJob[]>;
  /** Returns a running job to its queue without counting the attempt. False when it is no longer that attempt. */
  postpone: (
    queue: string,
    job: Pick<ActiveJob, 'id' | 'retryCount'>,
    seconds: number,
    reason: string,
  ) => Promise<boolean>;
  /**
   * Gives jobs from before the database's clock went back their delay again: they have a start in the future and would be
   * left alone until the clock has caught up. Returns their number.
   */
  thaw: (queues: readonly string[]) => Promise<number>;
  /** Current number of jobs by queue. */
  counts: () => Promise<QueueCount[]>;
  /** Jobs of one queue by id; those that are not there are omitted. */
  find: (queue: string, ids: readonly string[]) => Promise<JobRow[]>;
}

export const bossTables = (boss: PgBoss): BossTables => {
  const rowsOf = async <Row>(statement: string, values: unknown[]): Promise<Row[]> =>
    (await boss.getDb().executeSql(statement, values)).rows as Row[];
  return {
    active: (queues) => rowsOf(activeStatement, [queues]),
    postpone: async (queue, { id, retryCount }, seconds, reason) =>
      (await rowsOf(postponeStatement, [queue, id, retryCount, seconds, reason])).length > 0,
    thaw: async (queues) => (await rowsOf(thawStatement, [queues])).length,
    counts: () => rowsOf(countStatement, [deadQueue]),
    find: (queue, ids) => rowsOf(findStatement, [queue, ids]),
  };
};
