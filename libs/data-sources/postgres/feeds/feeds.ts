import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

/** Validators of one address, for the next conditional request. */
export interface Validator {
  etag?: string;
  lastModified?: string;
}

export type Validators = Readonly<Record<string, Validator>>;

export interface FeedState {
  feed: string;
  validators: Validators;
  /** Records of the last stored run. */
  lastCount: number | null;
  /** The source was reached and everything it has is stored (including 304). */
  lastSuccessAt: Date | null;
  /** Something was stored. */
  lastChangeAt: Date | null;
  lastFailureAt: Date | null;
  lastError: string | null;
  lastDurationMs: number | null;
  lastSource: string | null;
  consecutiveFailures: number;
  /** The source asked not to be called before this time. */
  retryAt: Date | null;
}

export interface FinishedRun {
  notModified: boolean;
  received: number | null;
  stored: number | null;
  rejected: number | null;
  bytes: number | null;
  source: string | null;
}

const stateColumns = sql`feed, validators, last_count AS "lastCount", last_success_at AS "lastSuccessAt",
  last_change_at AS "lastChangeAt", last_failure_at AS "lastFailureAt", last_error AS "lastError",
  last_duration_ms AS "lastDurationMs", last_source AS "lastSource",
  consecutive_failures AS "consecutiveFailures", retry_at AS "retryAt"`;

export interface FeedRunRow {
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
}

export const feedRepo = (db: ReadDb) => ({
  state: (feed: string): Promise<FeedState | null> =>
    db.maybe<FeedState>(sql`SELECT ${stateColumns} FROM feed_state WHERE feed = ${feed}`),

  states: (): Promise<FeedState[]> =>
    db.any<FeedState>(sql`SELECT ${stateColumns} FROM feed_state ORDER BY feed`),

  /** Newest first. */
  runs: (feed: string, limit: number): Promise<FeedRunRow[]> =>
    db.any<FeedRunRow>(sql`SELECT id, feed, slot, started_at AS "startedAt", finished_at AS "finishedAt", ok,
      not_modified AS "notModified", received, stored, rejected, bytes, error, source
      FROM feed_run WHERE feed = ${feed} ORDER BY id DESC LIMIT ${limit}`),
});

export const feedWrites = (tx: Tx) => ({
  /** Runs are kept for a week; a run that never ended belongs to a process that crashed. */
  startRun: async (run: { feed: string; slot: Date; now: Date; timeoutSeconds: number }): Promise<number> => {
    await tx.run(sql`UPDATE feed_run SET finished_at = ${run.now}, ok = false, error = 'the process ended during the run'
      WHERE feed = ${run.feed} AND finished_at IS NULL
        AND started_at < ${run.now}::timestamptz - make_interval(secs => ${run.timeoutSeconds})`);
    await tx.run(
      sql`DELETE FROM feed_run WHERE feed = ${run.feed} AND started_at < ${run.now}::timestamptz - interval '7 days'`,
    );
    const row = await tx.one<{ id: number }>(
      sql`INSERT INTO feed_run (feed, slot, started_at) VALUES (${run.feed}, ${run.slot}, ${run.now}) RETURNING id`,
    );
    return row.id;
  },

  /** One store of a feed at a time. False when a run that began later has already stored data. */
  claimStore: async (feed: string, runId: number): Promise<boolean> => {
    await tx.run(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`feed:${feed}`}, 0))`);
    const later = await tx.any(
      sql`SELECT 1 FROM feed_run WHERE feed = ${feed} AND id > ${runId} AND ok AND NOT not_modified LIMIT 1`,
    );
    return later.length === 0;
  },

  finishRun: async (run: {
    id: number;
    feed: string;
    startedAt: Date;
    now: Date;
    validators: Validators | null;
    outcome: FinishedRun;
  }): Promise<void> => {
    const { outcome, now } = run;
    await tx.run(sql`UPDATE feed_run SET finished_at = ${now}, ok = true, not_modified = ${outcome.notModified},
      received = ${outcome.received}, stored = ${outcome.stored}, rejected = ${outcome.rejected},
      bytes = ${outcome.bytes}, source = ${outcome.source} WHERE id = ${run.id}`);
    const changedAt = outcome.notModified ? null : now;
    const validators = run.validators === null ? null : JSON.stringify(run.validators);
    await tx.run(sql`INSERT INTO feed_state AS s
        (feed, validators, last_count, last_success_at, last_change_at, last_duration_ms, last_source)
      VALUES (${run.feed}, coalesce(${validators}::jsonb, '{}'), ${outcome.received}, ${now}, ${changedAt},
        ${now.getTime() - run.startedAt.getTime()}, ${outcome.source})
      ON CONFLICT (feed) DO UPDATE SET
        validators = coalesce(${validators}::jsonb, s.validators),
        last_count = coalesce(excluded.last_count, s.last_count),
        last_success_at = excluded.last_success_at,
        last_change_at = coalesce(excluded.last_change_at, s.last_change_at),
        last_duration_ms = excluded.last_duration_ms,
        last_source = coalesce(excluded.last_source, s.last_source),
        consecutive_failures = 0,
        retry_at = NULL`);
  },

  failRun: async (run: {
    id: number;
    feed: string;
    startedAt: Date;
    now: Date;
    error: string;
    retryAt: Date | null;
  }): Promise<void> => {
    await tx.run(
      sql`UPDATE feed_run SET finished_at = ${run.now}, ok = false, error = ${run.error} WHERE id = ${run.id}`,
    );
    await tx.run(sql`INSERT INTO feed_state AS s
        (feed, last_failure_at, last_error, last_duration_ms, consecutive_failures, retry_at)
      VALUES (${run.feed}, ${run.now}, ${run.error}, ${run.now.getTime() - run.startedAt.getTime()}, 1, ${run.retryAt})
      ON CONFLICT (feed) DO UPDATE SET
        last_failure_at = excluded.last_failure_at,
        last_error = excluded.last_error,
        last_duration_ms = excluded.last_duration_ms,
        consecutive_failures = s.consecutive_failures + 1,
        retry_at = excluded.retry_at`);
  },

  /**
   * After the clock went back: times in the future become now, and a pause that was requested then begins now.
   * Without this a source that fails from now on would count as fresh until the clock has caught up.
   */
  endFuture: async (feed: string, now: Date): Promise<void> => {
    await tx.run(sql`UPDATE feed_state SET
      retry_at = CASE WHEN last_failure_at > ${now} THEN ${now}::timestamptz + (retry_at - last_failure_at) ELSE retry_at END,
      last_success_at = least(last_success_at, ${now}), last_change_at = least(last_change_at, ${now}),
      last_failure_at = least(last_failure_at, ${now})
      WHERE feed = ${feed}`);
  },

  /** Ends a run whose data came too late to be stored; the state remains that of the later run. */
  dropRun: async (id: number, now: Date): Promise<void> => {
    await tx.run(sql`UPDATE feed_run SET finished_at = ${now}, ok = true, not_modified = true,
      error = 'a later run has stored already' WHERE id = ${id}`);
  },
});
