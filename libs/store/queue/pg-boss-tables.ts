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

interface JobRow {
  id: string;
  state: string;
}

/** Without `started_on` the next claim does not count as a retry, as after pg-boss's own `restore`. */
const postponeStatement = `
  UPDATE pgboss.job
  SET state = 'retry', started_on = CASE WHEN $6 THEN started_on END, heartbeat_on = NULL, start_after = now() + $4::int * interval '1 s',
    output = jsonb_build_object('message', $5::text)
  WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3
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

interface BossTables {
  /** Returns a running job to its queue, and counts the attempt or not. False when it is no longer that attempt. */
  postpone: (
    queue: string,
    job: { id: string; retryCount: number },
    delay: { seconds: number; isCounted: boolean; reason: string },
  ) => Promise<boolean>;
  /** Current number of jobs by queue. */
  counts: () => Promise<QueueCount[]>;
  /** Jobs of one queue by id; those that are not there are omitted. */
  find: (queue: string, ids: readonly string[]) => Promise<JobRow[]>;
}

export const bossTables = (boss: PgBoss): BossTables => {
  const rowsOf = async <Row>(statement: string, values: unknown[]): Promise<Row[]> =>
    (await boss.getDb().executeSql(statement, values)).rows as Row[];
  return {
    postpone: async (queue, { id, retryCount }, { seconds, isCounted, reason }) =>
      (await rowsOf(postponeStatement, [queue, id, retryCount, seconds, reason, isCounted])).length > 0,
    counts: () => rowsOf(countStatement, [deadQueue]),
    find: (queue, ids) => rowsOf(findStatement, [queue, ids]),
  };
};
