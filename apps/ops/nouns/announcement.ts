import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import {
  actionLinksSchema,
  announcementDraftSchema,
  announcementState,
  bodyFormats,
  galleryImagesSchema,
} from '#domain/announcements/announcement.ts';
import { publishAnnouncement } from '#commands/announcements/publish.ts';
import { announcementRepo, announcementWrites } from '#data/postgres/announcements/announcements.ts';
import { expireAnnouncementVerb } from '#operator/announcements.ts';
import { OpsError, verb } from '../command.ts';
import { UsageError } from '#operator/verb.ts';
import type { Noun, Ops } from '../command.ts';
import type { Answer } from '#operator/verb.ts';
import { integer, maybeInteger, maybeText, text } from '#operator/flags.ts';

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

const notATime = 'must be a UTC time such as 2026-09-16T12:00:00Z';
const maybeTime = (help: string) => ({
  schema: z.iso.datetime({ offset: true, error: notATime }).pipe(z.coerce.date()).optional(),
  text: help,
});

const byId = { id: integer('Id of the announcement (announcement list).') };

const switched =
  (isActive: boolean) =>
  async ({ change }: Ops, { id }: { id: number }): Promise<Answer> => {
    await change(async (tx, trail) => {
      await trail.changing('announcement', id);
      if ((await announcementWrites(tx).setActive(id, isActive)) === 0)
        throw new OpsError('NOT_FOUND', `There is no announcement ${id}.`);
    });
    return { data: { id, isActive } };
  };

export const announcement: Noun = {
  name: 'announcement',
  summary: 'Announcements to all users.',
  verbs: {
    publish: verb({
      summary: 'Publishes an announcement; its body is sanitised for its format.',
      flags: {
        title: text('Title.'),
        summary: maybeText('One or two sentences.'),
        body: maybeText('Text of the body, or use --body-file.'),
        'body-file': maybeText('File with the body.'),
        format: {
          schema: z.enum(bodyFormats, `must be one of ${bodyFormats.join(', ')}`).default('markdown'),
          text: 'markdown (default), html or plain.',
        },
        label: maybeText('Label of the link to more content.'),
        url: maybeText('URL of more content.'),
        cover: maybeText('URL of the cover image.'),
        gallery: { schema: jsonText(galleryImagesSchema), text: 'JSON: [{"url", "caption", "altText"}].' },
        links: { schema: jsonText(actionLinksSchema), text: 'JSON: [{"label", "url"}].' },
        at: maybeTime('Time of publication; default: now.'),
        expires: maybeTime('Time at which it expires; default: never.'),
      },
      run: async ({ change, clock }, { body, 'body-file': file, ...given }) => {
        if ((body === undefined) === (file === undefined))
          throw new UsageError('Give either --body or --body-file.');
        const now = clock.now();
        // Nothing goes before what users may have acknowledged already.
        if (given.at !== undefined && given.at < now) throw new UsageError('--at must not be in the past.');
        const draft = announcementDraftSchema.parse({
          title: given.title,
          summary: given.summary,
          body: body ?? (file === undefined ? '' : await readFile(file, 'utf8')),
          bodyFormat: given.format,
          contentLabel: given.label,
          contentUrl: given.url,
          coverImageUrl: given.cover,
          galleryImages: given.gallery,
          actionLinks: given.links,
          publishedAt: given.at ?? now,
          expiresAt: given.expires,
        });
        const published = await change(async (tx, trail) => {
          const made = await publishAnnouncement(tx, { clock }, draft);
          trail.created('announcement', made.id);
          return made;
        });
        return { data: { announcement: published }, table: [{ ...published }] };
      },
    }),
    expire: expireAnnouncementVerb,
    withdraw: verb({ summary: 'Hides an announcement.', flags: byId, run: switched(false) }),
    restore: verb({ summary: 'Shows a hidden announcement again.', flags: byId, run: switched(true) }),
    list: verb({
      summary: 'Lists announcements, the most recent first.',
      flags: { limit: maybeInteger('Maximum number of rows; default 50.') },
      run: async ({ postgres: { db }, clock }, { limit = 50 }) => {
        const now = clock.now();
        const announcements = (await announcementRepo(db).list(limit)).map((row) => ({
          ...row,
          state: announcementState(row, now),
        }));
        const table = announcements.map(({ id, state, publishedAt, expiresAt, bodyFormat, title }) => ({
          id,
          state,
          publishedAt,
          expiresAt,
          bodyFormat,
          title,
        }));
        return { data: { announcements }, table };
      },
    }),
  },
};
