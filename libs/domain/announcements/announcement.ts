/** Announcements by the operator: input, and the client's view. */
import { z } from 'zod';
import { requiredTextField } from '../fields/index.ts';
import { isAppUrl } from '../users/return-url.ts';
import { withoutControls } from '../text/controls.ts';
import { wireTime, wireTimeOrNull } from '../time.ts';

export const bodyFormats = ['markdown', 'html', 'plain'] as const;

const codes = { missing: 'must not be empty', invalid: 'is too long' };
const lineField = (max: number) => requiredTextField(max, codes).transform(withoutControls);
const maybeLineField = (max: number) => lineField(max).nullable().default(null);
const maxUrlCharacters = 2_000;
const urlField = () =>
  z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).max(maxUrlCharacters);
const maybeUrlField = () => urlField().nullable().default(null);
/** Allows app links, too: a button may open a page of the app. */
const linkField = () =>
  z
    .string()
    .max(maxUrlCharacters)
    .refine((text) => urlField().safeParse(text).success || isAppUrl(text), {
      error: 'must be an http or https URL, or that of an app',
    });

export const galleryImagesSchema = z
  .array(z.strictObject({ url: urlField(), caption: maybeLineField(300), altText: maybeLineField(300) }))
  .max(20);
export const actionLinksSchema = z.array(z.strictObject({ label: lineField(60), url: linkField() })).max(10);

/** What the operator publishes. */
export const announcementDraftSchema = z
  .strictObject({
    title: lineField(150),
    summary: maybeLineField(500),
    body: requiredTextField(50_000, codes),
    bodyFormat: z.enum(bodyFormats).default('markdown'),
    contentLabel: maybeLineField(60),
    contentUrl: linkField().nullable().default(null),
    coverImageUrl: maybeUrlField(),
    galleryImages: galleryImagesSchema.default([]),
    actionLinks: actionLinksSchema.default([]),
    publishedAt: z.date(),
    expiresAt: z.date().nullable().default(null),
  })
  .refine(({ publishedAt, expiresAt }) => expiresAt === null || expiresAt > publishedAt, {
    path: ['expiresAt'],
    error: 'must be after the time of publication',
  });
export type AnnouncementDraft = z.output<typeof announcementDraftSchema>;

export interface Announcement extends AnnouncementDraft {
  id: number;
  isActive: boolean;
}

export const announcementOutputSchema = z.strictObject({
  id: z.string(),
  title: z.string(),
  summary: z.string().nullable(),
  body: z.string(),
  bodyFormat: z.enum(bodyFormats),
  contentLabel: z.string().nullable(),
  contentUrl: z.string().nullable(),
  coverImageUrl: z.string().nullable(),
  galleryImages: z.array(
    z.strictObject({ url: z.string(), caption: z.string().nullable(), altText: z.string().nullable() }),
  ),
  actionLinks: z.array(z.strictObject({ label: z.string(), url: z.string() })),
  publishedAt: z.string(),
  expiresAt: z.string().nullable(),
  seen: z.boolean(),
});

/** An announcement as clients see it. */
export const announcementView = (
  { isActive: _isActive, ...announcement }: Announcement,
  seen: boolean,
): z.input<typeof announcementOutputSchema> => ({
  ...announcement,
  id: String(announcement.id),
  publishedAt: wireTime(announcement.publishedAt),
  expiresAt: wireTimeOrNull(announcement.expiresAt),
  seen,
});

type AnnouncementState = 'inactive' | 'scheduled' | 'expired' | 'current';

/** The state of an announcement; of several current ones, the most recently published is the latest. */
export const announcementState = (
  { isActive, publishedAt, expiresAt }: Announcement,
  now: Date,
): AnnouncementState => {
  if (!isActive) return 'inactive';
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  return publishedAt > now ? 'scheduled' : 'current';
};
