import { readFile } from 'node:fs/promises';
import { z } from 'zod';
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
import { integer, maybe, maybeText, maybeTime, oneOf, paging, row, text } from '../flags.ts';
import { creating, found, UsageError, verb, view } from '../verb.ts';
import type { Noun } from '../verb.ts';

const jsonText = <S extends z.ZodType>(schema: S) =>
  z
    .string()
    .transform((given, ctx): unknown => {
      try {
        return JSON.parse(given);
      } catch {
        ctx.addIssue('must be JSON');
        return z.NEVER;
      }
    })
    .pipe(schema)
    .optional();

const byId = { id: row('announcement', integer('Id of the announcement (announcement list).')) };

const switched = (isActive: boolean, summary: string) =>
  verb({
    summary,
    flags: byId,
    run: async (tools, { id }) => {
      await tools.change(async (tx) =>
        found(await announcementWrites(tx).setActive(id, isActive), `There is no announcement ${id}.`),
      );
      return { data: { id, isActive } };
    },
  });

export const announcement: Noun = {
  name: 'announcement',
  title: 'Announcements',
  summary: 'Announcements to all users.',
  kind: 'announcement',
  verbs: {
    publish: verb({
      summary: 'Publishes an announcement; its body is sanitised for its format.',
      flags: {
        title: text('Title.'),
        summary: maybeText('One or two sentences.'),
        body: { ...maybeText('Text of the body, or use --body-file.'), isLong: true },
        'body-file': { ...maybeText('File with the body.'), isLocal: true },
        format: maybe(oneOf(bodyFormats, 'markdown (default), html or plain.')),
        label: maybeText('Label of the link to more content.'),
        url: maybeText('URL of more content.'),
        cover: maybeText('URL of the cover image.'),
        gallery: { schema: jsonText(galleryImagesSchema), text: 'JSON: [{"url", "caption", "altText"}].' },
        links: { schema: jsonText(actionLinksSchema), text: 'JSON: [{"label", "url"}].' },
        at: maybeTime('Time of publication; default: now.'),
        expires: maybeTime('Time at which it expires; default: never.'),
      },
      run: async (tools, { body, 'body-file': file, ...given }) => {
        if ((body === undefined) === (file === undefined))
          throw new UsageError('Give either --body or --body-file.');
        const now = tools.clock.now();
        // Nothing goes before what users may have acknowledged already.
        if (given.at !== undefined && given.at < now) throw new UsageError('--at must not be in the past.');
        const draft = announcementDraftSchema.safeParse({
          title: given.title,
          summary: given.summary,
          body: body ?? (file === undefined ? '' : await readFile(file, 'utf8')),
          bodyFormat: given.format ?? 'markdown',
          contentLabel: given.label,
          contentUrl: given.url,
          coverImageUrl: given.cover,
          galleryImages: given.gallery,
          actionLinks: given.links,
          publishedAt: given.at ?? now,
          expiresAt: given.expires,
        });
        if (!draft.success) {
          const problems = draft.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
          throw new DomainError('INVALID', {}, problems.join('\n'));
        }
        // Two readers of HTML and Markdown, which few processes need.
        const { sanitised } = await import('#data/sanitise/body.ts');
        const safe = { ...draft.data, body: sanitised(draft.data.bodyFormat, draft.data.body) };
        if (safe.body === '')
          throw new DomainError('INVALID_BODY', {}, 'Nothing is left of the body once it is sanitised.');
        const { title, publishedAt: at, expiresAt } = safe;
        const times = { publishedAt: at.toISOString(), expiresAt: expiresAt?.toISOString() ?? null };
        const id = await creating(
          tools,
          'announcement',
          async (tx) => {
            const announcementId = await announcementWrites(tx).insert(safe, now);
            const data = { announcementId: String(announcementId), title, ...times };
            await publishEvent(tx, tools, { event: 'announcement.published', data, at });
            return announcementId;
          },
          Number,
        );
        return { data: { announcement: { id, ...safe } } };
      },
    }),
    expire: verb({
      summary: 'Ends an announcement now.',
      flags: byId,
      run: async (tools, { id }) => {
        const expiresAt = tools.clock.now();
        await tools.change(async (tx) =>
          found(
            await announcementWrites(tx).expire(id, expiresAt),
            `There is no announcement ${id} that has not expired.`,
          ),
        );
        return { data: { id, expiresAt } };
      },
    }),
    withdraw: switched(false, 'Hides an announcement.'),
    restore: switched(true, 'Shows a hidden announcement again.'),
    list: view({
      summary: 'Lists announcements, the most recent first.',
      flags: paging,
      run: async ({ postgres: { db }, clock }, { limit = 100, offset = 0 }) => {
        const now = clock.now();
        const announcements = (await announcementRepo(db).list(limit, offset)).map((each) => ({
          ...each,
          state: announcementState(each, now),
        }));
        const table = announcements.map(({ id, state, publishedAt, expiresAt, bodyFormat, title }) => ({
          id,
          state,
          publishedAt,
          expiresAt,
          bodyFormat,
          title,
        }));
        return {
          data: { announcements },
          table,
          actionsOf: ({ id, state }) => ({
            ...(state === 'expired' ? {} : { expire: { id } }),
            ...(state === 'inactive' ? { restore: { id } } : { withdraw: { id } }),
          }),
        };
      },
    }),
  },
};
