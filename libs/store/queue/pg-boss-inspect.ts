import type { JobWithMetadata, PgBoss } from 'pg-boss';
import { orDatabaseUnavailable } from '../postgres/unavailable.ts';
import { jobIdOf } from './job-id.ts';
import { withoutTrace } from './job-trace.ts';
import { deadQueue } from './pg-boss-options.ts';
import { bossTables } from './pg-boss-tables.ts';
import type { DeadLetter, FindJobs, JobState } from './types.ts';

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

/** True for what may be the id of a dead letter, once there is a queue of them. */
export const mayBeDead = async (boss: PgBoss, id: string): Promise<boolean> =>
  uuid.test(id) && (await boss.getQueue(deadQueue)) !== null;

/** A job that failed for good; null when there is none with this id. */
export const deadLetterOf = async (boss: PgBoss, id: string): Promise<DeadLetter | null> => {
  if (!(await mayBeDead(boss, id))) return null;
  const [job] = await boss.findJobs<unknown>(deadQueue, { id, queued: true });
  return job ? letterOf(job) : null;
};

/** Jobs that failed for good, newest first. */
export const deadLettersOf = async (boss: PgBoss, limit: number): Promise<DeadLetter[]> => {
  if (!(await boss.getQueue(deadQueue))) return [];
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
    const rows = await orDatabaseUnavailable(bossTables(boss).find(job.name, [...keys.keys()]));
    return new Map(rows.map(({ id, state }) => [keys.get(id) ?? id, stateOf(state)]));
  };
