/** Calls of an application by day, from the request log, and its calculations of a month. */
import { sql } from '../sql.ts';
import type { ReadDb } from '../sql.ts';
import type { RequestLogRow } from './log.ts';

interface DayOfCalls {
  day: string;
  calls: number;
  failed: number;
  /** 95th percentile of the durations. */
  p95Ms: number;
}

interface CallsByCode {
  /** Null: the call succeeded. */
  errorCode: string | null;
  query: string | null;
  calls: number;
  lastAt: Date;
}

type LoggedCall = Pick<RequestLogRow, 'id' | 'createdAt' | 'query' | 'status' | 'errorCode' | 'durationMs'>;

/** A summary reads this many of the last calls only, so that it does not slow others down. */
export const summarisedCalls = 10_000;

const latest = (developerKeyId: number, limit: number) => sql`
  SELECT id, created_at, query, status, error_code, duration_ms FROM request_log
  WHERE developer_key_id = ${developerKeyId} ORDER BY created_at DESC LIMIT ${limit}`;

export const usageRepo = (db: ReadDb) => ({
  /** Newest day first. */
  days: (developerKeyId: number): Promise<DayOfCalls[]> =>
    db.any<DayOfCalls>(sql`
      SELECT (created_at AT TIME ZONE 'UTC')::date::text AS day, count(*)::int AS calls,
        count(*) FILTER (WHERE error_code IS NOT NULL)::int AS failed,
        percentile_disc(0.95) WITHIN GROUP (ORDER BY duration_ms) AS p95_ms
      FROM (${latest(developerKeyId, summarisedCalls)}) l GROUP BY 1 ORDER BY 1 DESC`),

  /** Errors by code and query, the most frequent first. */
  errors: (developerKeyId: number): Promise<CallsByCode[]> =>
    db.any<CallsByCode>(sql`
      SELECT error_code, query, count(*)::int AS calls, max(created_at) AS last_at
      FROM (${latest(developerKeyId, summarisedCalls)}) l WHERE error_code IS NOT NULL
      GROUP BY 1, 2 ORDER BY 3 DESC, 1 LIMIT 50`),

  /** The last 100. */
  calls: (developerKeyId: number): Promise<LoggedCall[]> =>
    db.any<LoggedCall>(sql`
      SELECT id, created_at, query, status, error_code, duration_ms
      FROM (${latest(developerKeyId, 100)}) l ORDER BY created_at DESC, id DESC`),
});
