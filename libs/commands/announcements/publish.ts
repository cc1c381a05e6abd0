import type { AnnouncementDraft } from '#domain/announcements/announcement.ts';
import { DomainError } from '#domain/errors.ts';
import type { Clock } from '#domain/time.ts';
import { publishEvent } from '#commands/webhooks/publish-event.ts';
import { announcementWrites } from '#store/postgres/announcements/announcements.ts';
import type { Tx } from '#store/postgres/sql.ts';

/** Stores an announcement with its body sanitised for its format. Throws INVALID_BODY when nothing of it remains. */
export const publishAnnouncement = async (
  tx: Tx,
  { clock }: { clock: Clock },
  draft: AnnouncementDraft,
): Promise<AnnouncementDraft & { id: number }> => {
  // Two readers of HTML and Markdown, which few processes need.
  const { sanitised } = await import('#data/sanitise/body.ts');
  const safe = { ...draft, body: sanitised(draft.bodyFormat, draft.body) };
  if (safe.body === '')
    throw new DomainError('INVALID_BODY', {}, 'Nothing is left of the body once it is sanitised.');
  const id = await announcementWrites(tx).insert(safe, clock.now());
  const { title, publishedAt, expiresAt } = safe;
  const times = { publishedAt: publishedAt.toISOString(), expiresAt: expiresAt?.toISOString() ?? null };
  const data = { announcementId: String(id), title, ...times };
  await publishEvent(tx, { clock }, { event: 'announcement.published', data, at: publishedAt });
  return { id, ...safe };
};
