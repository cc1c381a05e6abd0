import { ageMinutes, feedStatus } from '#domain/feeds/status.ts';
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
  lastError: string | null;
  schedule: string;
  /** Day of the data that came with the service (`YYYY-MM-DD`), until a run has succeeded. */
  seedDate: string | null;
}

export const feedStatusRepo = (db: ReadDb) => ({
  /**
   * Every declared feed by name; before the first scheduler start, those that ever ran, with limits of one and
   * two days.
   */
  reports: async (now: Date): Promise<FeedReport[]> => {
    const rows = await db.any<Omit<FeedReport, 'status' | 'ageMinutes'> & Omit<FeedPromise, 'seedDate'>>(sql`
      SELECT coalesce(f.name, s.feed) AS feed, coalesce(f.schedule, '') AS schedule,
        coalesce(f.grace_minutes, 1440) AS "graceMinutes", coalesce(f.stale_minutes, 2880) AS "staleMinutes",
        coalesce(f.is_off, false) AS "isOff", s.last_success_at AS "lastSuccessAt", s.last_change_at AS "lastChangeAt", s.last_count AS records,
        s.seed_date::text AS "seedDate",
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
