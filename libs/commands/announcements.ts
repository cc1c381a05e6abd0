import type { Deps } from '#commands/deps.ts';
import type { AnnouncementDraft } from '#domain/announcements/announcement.ts';
import { DomainError } from '#domain/errors.ts';
import { announcementWrites } from '#store/postgres/announcements/announcements.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { publishEvent } from './webhooks.ts';

/** Stores an announcement with its body sanitised for its format. Throws INVALID_BODY when nothing of it remains. */
export const publishAnnouncement = async (
  tx: Tx,
  deps: Deps<'clock'>,
  draft: AnnouncementDraft,
): Promise<AnnouncementDraft & { id: number }> => {
  // Two readers of HTML and Markdown, which few processes need.
  const { sanitised } = await import('#data/sanitise/body.ts');
  const safe = { ...draft, body: sanitised(draft.bodyFormat, draft.body) };
  if (safe.body === '')
    throw new DomainError('INVALID_BODY', {}, 'Nothing is left of the body once it is sanitised.');
  const id = await announcementWrites(tx).insert(safe, deps.clock.now());
  const { title, publishedAt, expiresAt } = safe;
  const times = { publishedAt: publishedAt.toISOString(), expiresAt: expiresAt?.toISOString() ?? null };
  const data = { announcementId: String(id), title, ...times };
  await publishEvent(tx, deps, { event: 'announcement.published', data, at: publishedAt });
  return { id, ...safe };
};
