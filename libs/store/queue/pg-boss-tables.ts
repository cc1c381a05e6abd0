/**
 * Everything that reads or writes the tables of pg-boss directly, because the library has no call for it; ADR
 * 3 has the incident behind each part. Everything else goes through the library.
 */
import type { PgBoss, Queue, JobWithMetadata } from 'pg-boss';
import type { QueueCount, DeadLetter, FindJobs, JobState } from './types.ts';
import type { JobContract } from '#domain/jobs/port.ts';
import { takeover, jobIdOf } from './run-job.ts';
import type { Carrier } from '#platform/metrics/activities.ts';
import { orDatabaseUnavailable } from '../postgres/unavailable.ts';

/** pg-boss has no field for it; BullMQ has (`telemetry.metadata`). */
const member = '$trace';

/** The payload as stored, with the job's trace, if any. */
export const withTrace = (payload: object, trace: Carrier | undefined): object =>
  trace === undefined ? payload : { ...payload, [member]: trace };

/** The enqueued payload and its trace; also in a process that does not trace. */
export const withoutTrace = (stored: unknown): { payload: unknown; trace: Carrier | undefined } => {
  if (typeof stored !== 'object' || stored === null || !(member in stored))
    return { payload: stored, trace: undefined };
  const { [member]: trace, ...payload } = stored;
  return { payload, trace: trace as Carrier };
};

/** Queue of jobs that failed for good. */
export const deadQueue = 'dead';

const day = 86_400;

/** Queue settings of one job, from its contract. */
export const queueOptionsOf = (job: JobContract): Omit<Queue, 'name'> => ({
  // Notifications would serialise commits and do not cover delayed jobs and retries, so workers poll (ADR 10).
  notify: false,
  retryLimit: job.attempts - 1,
  // Retries of jobs whose process was killed; failed ones wait according to their contract (pg-boss-serve.ts).
  retryDelay: 0,
  retryBackoff: false,
  deadLetter: deadQueue,
  heartbeatSeconds: takeover.postgres.silentMs / 1_000,
  expireInSeconds: job.timeoutSeconds,
  // pg-boss scans all finished jobs each second, and schedules alone create 30,000 a day; a sweep looks up those of the last day.
  deleteAfterSeconds: job.requeue ? day : 3_600,
  // Also the retention of the copy among the dead letters.
  retentionSeconds: Math.max(job.keepFailedDays, 7) * day,
});

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

/** `NOT blocked` is the condition of the index, without which all finished jobs would be read. */
const dueStatement = `
  SELECT q.name FROM unnest($1::text[]) AS q (name)
  WHERE EXISTS (SELECT 1 FROM pgboss.job j
    WHERE j.name = q.name AND j.state < 'active' AND NOT j.blocked AND j.start_after <= now())`;

const findStatement = `SELECT id, state FROM pgboss.job WHERE name = $1 AND id = ANY($2::uuid[])`;

const rowsOf = async <Row>(boss: PgBoss, statement: string, values: unknown[]): Promise<Row[]> =>
  (await boss.getDb().executeSql(statement, values)).rows as Row[];

/** Returns a running job to its queue, and counts the attempt or not. False when it is no longer that attempt. */
export const postpone = async (
  boss: PgBoss,
  queue: string,
  { id, retryCount }: { id: string; retryCount: number },
  { seconds, isCounted, reason }: { seconds: number; isCounted: boolean; reason: string },
): Promise<boolean> =>
  (await rowsOf(boss, postponeStatement, [queue, id, retryCount, seconds, reason, isCounted])).length > 0;

/** Current number of jobs by queue. */
export const countsOf = (boss: PgBoss): Promise<QueueCount[]> => rowsOf(boss, countStatement, [deadQueue]);

/** Those of these queues that have a job to do now. */
export const dueQueues = async (boss: PgBoss, names: readonly string[]): Promise<string[]> =>
  (await rowsOf<{ name: string }>(boss, dueStatement, [names])).map(({ name }) => name);

const messageOf = (output: unknown): string => {
  if (typeof output !== 'object' || output === null) return String(output);
  if ('message' in output) return String(output.message);
  return 'value' in output ? messageOf(output.value) : JSON.stringify(output);
};

const letterOf = (job: JobWithMetadata<unknown>): DeadLetter => ({
  id: job.id,
  job: job.sourceName ?? 'unknown',
  payload: withoutTrace(job.data).payload,
  error: messageOf(job.sourceOutput),
  attempts: (job.sourceRetryCount ?? 0) + 1,
  failedAt: job.createdOn,
});

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text may be the id of a dead letter. */
export const mayBeDead = (id: string): boolean => uuid.test(id);

/** A job that failed for good; null when there is none with this id. */
export const deadLetterOf = async (boss: PgBoss, id: string): Promise<DeadLetter | null> => {
  if (!mayBeDead(id)) return null;
  const [job] = await boss.findJobs<unknown>(deadQueue, { id, queued: true });
  return job ? letterOf(job) : null;
};

/** Jobs that failed for good, newest first. */
export const deadLettersOf = async (boss: PgBoss, limit: number): Promise<DeadLetter[]> => {
  const jobs = await boss.findJobs(deadQueue, { queued: true });
  return jobs
    .toSorted((a, b) => b.createdOn.getTime() - a.createdOn.getTime())
    .slice(0, limit)
    .map(letterOf);
};

const stateOf = (state: string): JobState => {
  if (state === 'completed') return 'done';
  return state === 'failed' || state === 'cancelled' ? 'failed' : 'queued';
};

/** Current state of jobs by dedupe key. */
export const findOn =
  (boss: PgBoss): FindJobs =>
  async (job, dedupeKeys) => {
    const keys = new Map(dedupeKeys.map((key) => [jobIdOf(job.name, key), key]));
    if (keys.size === 0) return new Map();
    const rows = await orDatabaseUnavailable(
      rowsOf<{ id: string; state: string }>(boss, findStatement, [job.name, [...keys.keys()]]),
    );
    return new Map(rows.map(({ id, state }) => [keys.get(id) ?? id, stateOf(state)]));
  };
