import { excludedOf, insertId, insertOf, setOf, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

/** Validators of one address, for the next conditional request. */
export interface Validator {
  etag?: string;
  lastModified?: string;
}

type Validators = Readonly<Record<string, Validator>>;

export interface FeedState {
  feed: string;
  validators: Validators;
  /** Records of the last stored run. */
  lastCount: number | null;
  /** When the source was last reached with everything it has stored here, including answers 304. */
  lastSuccessAt: Date | null;
  /** When something was last stored. */
  lastChangeAt: Date | null;
  /** Timestamp of the stored data, if the source gives one. */
  lastDataAt: Date | null;
  lastFailureAt: Date | null;
  lastError: string | null;
  lastSource: string | null;
  consecutiveFailures: number;
  /** The source asked not to be called before this time. */
  retryAt: Date | null;
  /** Date of the copy that came with the service (`YYYY-MM-DD`), until a run has succeeded. */
  seedDate: string | null;
}

interface FinishedRun extends Pick<
  FeedRunRow,
  'notModified' | 'received' | 'stored' | 'rejected' | 'bytes' | 'source'
> {
  dataAt?: Date | null;
  notice?: string | null;
}

const stateColumns = sql`feed, validators, last_count, last_success_at, last_change_at, last_data_at,
  last_failure_at, last_error, last_source, consecutive_failures, retry_at,
  seed_date::text AS seed_date`;

interface FeedRunRow {
  id: number;
  feed: string;
  slot: Date;
  startedAt: Date;
  finishedAt: Date | null;
  ok: boolean | null;
  notModified: boolean;
  received: number | null;
  stored: number | null;
  rejected: number | null;
  bytes: number | null;
  error: string | null;
  source: string | null;
  process: string | null;
  isManual: boolean;
}

export interface StartedRun {
  feed: string;
  slot: Date;
  now: Date;
  timeoutSeconds: number;
  /** Null for a run that an operator started. */
  jobId: string | null;
  /** Name of the running process. */
  process: string;
  /** Started by an operator: its failure is stored, but is not a failure of the feed. */
  isManual?: boolean;
}

export const feedRepo = (db: ReadDb) => ({
  state: (feed: string): Promise<FeedState | null> =>
    db.maybe<FeedState>(sql`SELECT ${stateColumns} FROM feed_state WHERE feed = ${feed}`),

  states: (): Promise<FeedState[]> =>
    db.any<FeedState>(sql`SELECT ${stateColumns} FROM feed_state ORDER BY feed`),

  /** Newest first. */
  runs: (feed: string, limit: number): Promise<FeedRunRow[]> =>
    db.any<FeedRunRow>(sql`SELECT id, feed, slot, started_at, finished_at, ok, not_modified, received, stored,
      rejected, bytes, error, source, process, is_manual
      FROM feed_run WHERE feed = ${feed} ORDER BY id DESC LIMIT ${limit}`),
});

export const feedWrites = (tx: Tx) => ({
  /**
   * Runs are retained for a week. A job runs in one process at a time, so an unfinished run of the same job belongs to
   * a killed process and is closed here, as is one that exceeded its time limit.
   */
  startRun: async (run: StartedRun): Promise<number> => {
    const { now } = run;
    await tx.run(sql`UPDATE feed_run SET finished_at = ${now}, ok = false,
        error = 'the process that ran this (' || process || ') was killed; taken over by ' || ${run.process}::text
      WHERE job_id = ${run.jobId} AND finished_at IS NULL`);
    await tx.run(sql`UPDATE feed_run SET finished_at = ${now}, ok = false, error = 'the process ended during the run'
      WHERE feed = ${run.feed} AND finished_at IS NULL
        AND started_at < ${now}::timestamptz - make_interval(secs => ${run.timeoutSeconds}::int)`);
    await tx.run(
      sql`DELETE FROM feed_run WHERE feed = ${run.feed} AND started_at < ${now}::timestamptz - interval '7 days'`,
    );
    const { feed, slot, jobId, process, isManual = false } = run;
    return insertId(tx, 'feed_run', { feed, slot, startedAt: now, jobId, process, isManual });
  },

  /**
   * One store per feed at a time. False when a run that began later has already stored data, or when another process
   * has taken the job over.
   */
  claimStore: async (feed: string, runId: number): Promise<boolean> => {
    await tx.run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`feed:${feed}`}, 0))`);
    const isOpen = await tx.exists(
      sql`SELECT 1 FROM feed_run WHERE id = ${runId} AND finished_at IS NULL FOR UPDATE`,
    );
    return (
      isOpen &&
      !(await tx.exists(
        sql`SELECT 1 FROM feed_run WHERE feed = ${feed} AND id > ${runId} AND ok AND NOT not_modified LIMIT 1`,
      ))
    );
  },

  /** Like `failRun` and `dropRun`, does nothing for a run that another process has closed. */
  finishRun: async (run: {
    id: number;
    feed: string;
    now: Date;
    validators: Validators | null;
    outcome: FinishedRun;
  }): Promise<void> => {
    const { outcome, now } = run;
    const { notModified, received, stored, rejected, bytes, source } = outcome;
    const row = { finishedAt: now, ok: true, notModified, received, stored, rejected, bytes, source };
    const isOpen = sql`id = ${run.id} AND finished_at IS NULL`;
    if ((await tx.run(sql`UPDATE feed_run SET ${setOf(row)} WHERE ${isOpen}`)) === 0) return;
    const changedAt = notModified ? null : now;
    const validators = run.validators === null ? null : JSON.stringify(run.validators);
    await tx.run(sql`INSERT INTO feed_state AS s
        (feed, validators, last_count, last_success_at, last_change_at, last_source, last_data_at, notice)
      VALUES (${run.feed}, coalesce(${validators}::jsonb, '{}'), ${received}, ${now}, ${changedAt},
        ${source}, ${outcome.dataAt ?? null}, ${outcome.notice ?? null})
      ON CONFLICT (feed) DO UPDATE SET
        validators = coalesce(${validators}::jsonb, s.validators),
        last_count = coalesce(excluded.last_count, s.last_count),
        last_success_at = excluded.last_success_at,
        last_change_at = coalesce(excluded.last_change_at, s.last_change_at),
        last_source = coalesce(excluded.last_source, s.last_source),
        last_data_at = coalesce(excluded.last_data_at, s.last_data_at),
        notice = CASE WHEN ${notModified} THEN s.notice ELSE excluded.notice END,
        consecutive_failures = 0,
        retry_at = NULL,
        seed_date = NULL`);
  },

  /** Records that bundled data were stored, which does not count as a success of the feed. */
  seeded: ({ feed, date, count }: { feed: string; date: string; count: number }): Promise<number> => {
    const row = { feed, lastCount: count, seedDate: date };
    return tx.run(sql`${insertOf('feed_state', row)} ON CONFLICT (feed) DO UPDATE SET ${excludedOf(row)}`);
  },

  failRun: async (run: {
    id: number;
    feed: string;
    now: Date;
    error: string;
    retryAt: Date | null;
    isManual?: boolean;
  }): Promise<void> => {
    const failed = await tx.run(
      sql`UPDATE feed_run SET finished_at = ${run.now}, ok = false, error = ${run.error}
        WHERE id = ${run.id} AND finished_at IS NULL`,
    );
    if (failed === 0 || run.isManual === true) return;
    await tx.run(sql`INSERT INTO feed_state AS s
        (feed, last_failure_at, last_error, consecutive_failures, retry_at)
      VALUES (${run.feed}, ${run.now}, ${run.error}, 1, ${run.retryAt})
      ON CONFLICT (feed) DO UPDATE SET
        last_failure_at = excluded.last_failure_at,
        last_error = excluded.last_error,
        consecutive_failures = s.consecutive_failures + 1,
        retry_at = excluded.retry_at`);
  },

  /**
   * After the clock was set back: future times become now, and a pause that was requested then begins now. Otherwise a
   * source that fails from now on would count as fresh until the clock has caught up.
   */
  endFuture: async (feed: string, now: Date): Promise<void> => {
    await tx.run(sql`UPDATE feed_state SET
      retry_at = CASE WHEN last_failure_at > ${now} THEN ${now}::timestamptz + (retry_at - last_failure_at) ELSE retry_at END,
      last_success_at = least(last_success_at, ${now}), last_change_at = least(last_change_at, ${now}),
      last_failure_at = least(last_failure_at, ${now})
      WHERE feed = ${feed}`);
  },

  /** Ends a run whose data came too late to be stored; the later run determines the state. */
  dropRun: async (id: number, now: Date): Promise<void> => {
    await tx.run(sql`UPDATE feed_run SET finished_at = ${now}, ok = true, not_modified = true,
      error = 'a later run has stored already' WHERE id = ${id} AND finished_at IS NULL`);
  },
});
