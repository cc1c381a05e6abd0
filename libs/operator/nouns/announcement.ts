import { readFile } from 'node:fs/promises';
import {
  actionLinksSchema,
  announcementDraftSchema,
  announcementState,
  bodyFormats,
  galleryImagesSchema,
} from '#domain/announcements/announcement.ts';
import { DomainError } from '#domain/errors.ts';
import { publishEvent } from '#commands/webhooks.ts';
import { announcementRepo, announcementWrites } from '#store/postgres/announcements/announcements.ts';
import { integer, maybe, maybeText, maybeTime, oneOf, paging, row, text, parsed } from '../flags.ts';
import { change, UsageError, view } from '../verb.ts';
import type { Noun } from '../verb.ts';

const byId = { id: row('announcement', integer('Id of the announcement (announcement list).')) };

export const announcement: Noun = {
  name: 'announcement',
  title: 'Announcements',
  summary: 'Announcements to all users.',
  kind: 'announcement',
  verbs: {
    publish: change({
      summary: 'Publishes an announcement; its body is sanitised for its format.',
      flags: {
        title: text('Title.'),
        summary: maybeText('One or two sentences.'),
        body: { ...maybeText('Text of the body, or use --body-file.'), isLong: true },
        bodyFile: { ...maybeText('File with the body.'), isLocal: true },
        bodyFormat: maybe(oneOf(bodyFormats, 'markdown (default), html or plain.')),
        contentLabel: maybeText('Label of the link to more content.'),
        contentUrl: maybeText('URL of more content.'),
        coverImageUrl: maybeText('URL of the cover image.'),
        galleryImages: parsed(galleryImagesSchema, 'JSON: [{"url", "caption", "altText"}].', JSON.parse),
        actionLinks: parsed(actionLinksSchema, 'JSON: [{"label", "url"}].', JSON.parse),
        publishedAt: maybeTime('Time of publication; default: now.'),
        expiresAt: maybeTime('Time at which it expires; default: never.'),
      },
      refusal: ({ body, bodyFile }) =>
        (body === undefined) === (bodyFile === undefined) && 'Give either --body or --body-file.',
      run: async (tools, { body, bodyFile, publishedAt: at = tools.now, ...given }) => {
        // No announcement may precede those that users may have acknowledged.
        if (at < tools.now) throw new UsageError('--published-at must not be in the past.');
        const draft = announcementDraftSchema.safeParse({
          ...given,
          body: bodyFile === undefined ? body : await readFile(bodyFile, 'utf8'),
          publishedAt: at,
        });
        if (!draft.success) {
          const problems = draft.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
          throw new DomainError('INVALID', {}, problems.join('\n'));
        }
        // Loads HTML and Markdown parsers, which few processes need.
        const { sanitised } = await import('#data/sanitise/body.ts');
        const safe = { ...draft.data, body: sanitised(draft.data.bodyFormat, draft.data.body) };
        if (safe.body === '')
          throw new DomainError('INVALID_BODY', {}, 'Nothing is left of the body once it is sanitised.');
        const id = await announcementWrites(tools.tx).insert(safe, tools.now);
        tools.trail.created('announcement', id);
        const { title, publishedAt, expiresAt } = safe;
        const times = { publishedAt: publishedAt.toISOString(), expiresAt: expiresAt?.toISOString() ?? null };
        const data = { announcementId: String(id), title, ...times };
        await publishEvent(tools.tx, tools, { event: 'announcement.published', data, at: publishedAt });
        return { data: { announcement: { id, ...safe } } };
      },
    }),
    expire: change({
      summary: 'Ends an announcement now.',
      flags: byId,
      run: ({ tx, now }, { id }) => announcementWrites(tx).expire(id, now),
    }),
    withdraw: change({
      summary: 'Hides an announcement.',
      flags: byId,
      run: ({ tx }, { id }) => announcementWrites(tx).setActive(id, false),
    }),
    restore: change({
      summary: 'Shows a hidden announcement again.',
      flags: byId,
      run: ({ tx }, { id }) => announcementWrites(tx).setActive(id, true),
    }),
    list: view({
      summary: 'Lists announcements, the most recent first.',
      flags: paging,
      run: async ({ db, now }, { limit, offset }) => {
        const announcements = await announcementRepo(db).list(limit, offset);
        return {
          data: {
            announcements: announcements.map((each) => ({ ...each, state: announcementState(each, now) })),
          },
          columns: { announcements: 'id state publishedAt expiresAt bodyFormat title' },
          offers: ({ state }) => [
            ...(state === 'expired' ? [] : ['expire']),
            state === 'inactive' ? 'restore' : 'withdraw',
          ],
        };
      },
    }),
  },
};
