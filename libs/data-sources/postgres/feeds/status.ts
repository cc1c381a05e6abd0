import { ageMinutes, feedStatus, lateSince } from '#domain/feeds/status.ts';
import type { FeedPromise, FeedStatus } from '#domain/feeds/status.ts';
import { notAfter } from '#domain/time.ts';
import { sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

export interface DeclaredFeed extends FeedPromise {
  name: string;
  schedule: string;
}

export interface FeedReport {
  feed: string;
  status: FeedStatus;
  /** Start of the last run, regardless of its outcome. */
  lastRunAt: Date | null;
  lastSuccessAt: Date | null;
  lastChangeAt: Date | null;
  /** Of the last success. */
  ageMinutes: number | null;
  /** Records and size of the last run with data. */
  records: number | null;
  bytes: number | null;
  consecutiveFailures: number;
  /** While the feed fails. */
  lastError: string | null;
  /** The last failure of all, also when the feed has recovered. */
  lastFailureAt: Date | null;
  lastFailure: string | null;
  /** Since when the data have been older than the feed promises; null when it is up, off or never succeeded. */
  lateSince: Date | null;
  schedule: string;
  /** Day of the data that came with the service (`YYYY-MM-DD`), until a run has succeeded. */
  seedDate: string | null;
}

export interface FeedHour {
  feed: string;
  hour: number;
  succeeded: number;
  failed: number;
}

export const feedStatusRepo = (db: ReadDb) => ({
  /**
   * Every declared feed by name; before the first scheduler start, those that ever ran, with limits of one and
   * two days.
   */
  reports: async (now: Date): Promise<FeedReport[]> => {
    const rows = await db.any<
      Omit<FeedReport, 'status' | 'ageMinutes' | 'lateSince'> & Omit<FeedPromise, 'seedDate'>
    >(sql`
      SELECT coalesce(f.name, s.feed) AS feed, coalesce(f.schedule, '') AS schedule,
        coalesce(f.grace_minutes, 1440) AS "graceMinutes", coalesce(f.stale_minutes, 2880) AS "staleMinutes",
        coalesce(f.is_off, false) AS "isOff", s.last_success_at AS "lastSuccessAt", s.last_change_at AS "lastChangeAt", s.last_count AS records,
        s.seed_date::text AS "seedDate", s.last_failure_at AS "lastFailureAt", s.last_error AS "lastFailure",
        coalesce(s.consecutive_failures, 0) AS "consecutiveFailures",
        CASE WHEN s.consecutive_failures > 0 AND NOT coalesce(f.is_off, false) THEN s.last_error END AS "lastError",
        (SELECT started_at FROM feed_run r WHERE r.feed = coalesce(f.name, s.feed) ORDER BY id DESC LIMIT 1) AS "lastRunAt",
        (SELECT bytes FROM feed_run r WHERE r.feed = coalesce(f.name, s.feed) AND r.ok AND NOT r.not_modified
          ORDER BY id DESC LIMIT 1) AS bytes
      FROM feed f FULL JOIN feed_state s ON s.feed = f.name
      WHERE f.name IS NOT NULL OR NOT EXISTS (SELECT 1 FROM feed)
      ORDER BY 1`);
    return rows.map(({ graceMinutes, staleMinutes, isOff, ...row }) => ({
      ...row,
      lastFailureAt: notAfter(row.lastFailureAt, now),
      lateSince: lateSince({ graceMinutes, staleMinutes, isOff: isOff === true }, row.lastSuccessAt, now),
      lastRunAt: notAfter(row.lastRunAt, now),
      lastSuccessAt: notAfter(row.lastSuccessAt, now),
      lastChangeAt: notAfter(row.lastChangeAt, now),
      status: feedStatus(
        { graceMinutes, staleMinutes, isOff: isOff === true, seedDate: row.seedDate },
        row.lastSuccessAt,
        now,
      ),
      ageMinutes: ageMinutes(row.lastSuccessAt, now),
    }));
  },

  /** Runs of the last 24 hours by feed and hour, without failures of manual runs; hour 0 is the oldest, 23 the one that ends now. Hours without runs are absent. */
  history: (now: Date): Promise<FeedHour[]> =>
    db.any<FeedHour>(sql`
      SELECT feed, 23 - floor(extract(epoch FROM ${now}::timestamptz - started_at) / 3600)::int AS hour,
        count(*) FILTER (WHERE ok)::int AS succeeded, count(*) FILTER (WHERE NOT ok)::int AS failed
      FROM feed_run
      WHERE started_at > ${now}::timestamptz - interval '24 hours' AND started_at <= ${now} AND ok IS NOT NULL
        AND (ok OR NOT is_manual)
      GROUP BY 1, 2 ORDER BY 1, 2`),
});

export const feedStatusWrites = (tx: Tx) => ({
  /** The scheduler declares the feeds; others are no longer shown. */
  declare: async (feeds: readonly DeclaredFeed[]): Promise<void> => {
    await tx.run(sql`DELETE FROM feed WHERE NOT name = ANY(${feeds.map((feed) => feed.name)}::text[])`);
    await tx.run(sql`INSERT INTO feed (name, schedule, grace_minutes, stale_minutes, is_off)
      SELECT * FROM unnest(${feeds.map((feed) => feed.name)}::text[], ${feeds.map((feed) => feed.schedule)}::text[],
        ${feeds.map((feed) => feed.graceMinutes)}::int[], ${feeds.map((feed) => feed.staleMinutes)}::int[],
        ${feeds.map((feed) => feed.isOff ?? false)}::boolean[])
      ON CONFLICT (name) DO UPDATE SET schedule = excluded.schedule, grace_minutes = excluded.grace_minutes,
        stale_minutes = excluded.stale_minutes, is_off = excluded.is_off`);
  },
});
