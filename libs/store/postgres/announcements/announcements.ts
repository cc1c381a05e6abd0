import type { Announcement, AnnouncementDraft } from '#domain/announcements/announcement.ts';
import { insertId, sql } from '../sql.ts';
import type { ReadDb, Tx } from '../sql.ts';

const columns = sql`a.id, a.title, a.summary, a.body, a.body_format, a.content_label, a.content_url,
  a.cover_image_url, a.gallery_images, a.action_links, a.is_active, a.published_at, a.expires_at`;

/** An announcement as a user sees it, with whether they have acknowledged it. */
type ShownAnnouncement = Announcement & { seen: boolean };

interface Viewer {
  userId: number;
  now: Date;
}

export const announcementRepo = (db: ReadDb) => ({
  /** Announcements that are active, published and not expired, the most recent first; `before` is the id of the last one on the previous page. */
  page: (
    { userId, now }: Viewer,
    { limit, before }: { limit: number; before: number | null },
  ): Promise<ShownAnnouncement[]> =>
    db.any<ShownAnnouncement>(sql`
      SELECT ${columns}, EXISTS (SELECT 1 FROM announcement_ack k WHERE k.user_id = ${userId}
        AND (k.published_at, k.announcement_id) >= (a.published_at, a.id)) AS seen
      FROM announcement a
      WHERE a.is_active AND a.published_at <= ${now} AND (a.expires_at IS NULL OR a.expires_at > ${now})
        AND (${before}::int IS NULL
          OR (a.published_at, a.id) < (SELECT b.published_at, b.id FROM announcement b WHERE b.id = ${before}))
      ORDER BY a.published_at DESC, a.id DESC LIMIT ${limit}`),

  /** All, the most recent first. */
  list: (limit: number, offset = 0): Promise<Announcement[]> =>
    db.any<Announcement>(
      sql`SELECT ${columns} FROM announcement a ORDER BY a.published_at DESC, a.id DESC LIMIT ${limit} OFFSET ${offset}`,
    ),
});

export const announcementWrites = (tx: Tx) => ({
  /** Id of the new announcement, which is active. */
  insert: (draft: AnnouncementDraft, now: Date): Promise<number> =>
    insertId(tx, 'announcement', {
      ...draft,
      galleryImages: JSON.stringify(draft.galleryImages),
      actionLinks: JSON.stringify(draft.actionLinks),
      createdAt: now,
    }),

  /** 0 when there is no such announcement, or it has expired. */
  expire: (id: number, now: Date): Promise<number> =>
    tx.run(sql`
      UPDATE announcement SET expires_at = ${now} WHERE id = ${id} AND (expires_at IS NULL OR expires_at > ${now})`),

  /** 0 when there is no such announcement. */
  setActive: (id: number, isActive: boolean): Promise<number> =>
    tx.run(sql`UPDATE announcement SET is_active = ${isActive} WHERE id = ${id}`),

  /**
   * Acknowledges the published announcement with this id, or the one with the highest id below. An acknowledgement
   * older than the stored one has no effect, even when both arrive at once.
   */
  acknowledge: async (userId: number, id: number, now: Date): Promise<void> => {
    await tx.run(sql`
      INSERT INTO announcement_ack AS known (user_id, announcement_id, published_at, acknowledged_at)
      SELECT ${userId}, a.id, a.published_at, ${now} FROM announcement a
      WHERE a.id <= ${id} AND a.published_at <= ${now} ORDER BY a.id DESC LIMIT 1
      ON CONFLICT (user_id) DO UPDATE SET announcement_id = excluded.announcement_id,
        published_at = excluded.published_at, acknowledged_at = excluded.acknowledged_at
      WHERE (excluded.published_at, excluded.announcement_id) > (known.published_at, known.announcement_id)`);
  },
});
