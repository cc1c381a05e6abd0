/** Announcements to all users: list, publish, end. */
import { z } from 'zod';
import { publishAnnouncement } from '#commands/announcements/publish.ts';
import { announcementRepo } from '#data/postgres/announcements/announcements.ts';
import {
  announcementDraftSchema,
  announcementState,
  bodyFormats,
} from '#domain/announcements/announcement.ts';
import { DomainError } from '#domain/errors.ts';
import { expireAnnouncementVerb } from '#operator/announcements.ts';
import { actionOf, consoleAction, consolePage, defineSection } from '../define.ts';
import { html } from '../../pages/html.ts';
import {
  badge,
  confirmed,
  field,
  hidden,
  listQuery,
  paged,
  pageSize,
  select,
  table,
  time,
} from '../../site/parts.ts';

const kinds = { current: 'up', scheduled: 'seed', expired: 'off', inactive: 'off' } as const;

const list = consolePage('/announcements', z.object({ page: listQuery.page }), async (tools, { page }) => {
  const { db, now, formToken } = tools;
  const found = await announcementRepo(db).list(pageSize + 1, (page - 1) * pageSize);
  const { rows, links } = paged(found, page, '/announcements');
  return {
    title: 'Announcements',
    main: html`${table(
      'Announcements',
      ['Id', 'Title', 'State', 'Published', 'Expires', ''],
      rows.map((row) => {
        const state = announcementState(row, now);
        return [
          row.id,
          row.title,
          badge(kinds[state], state),
          time(row.publishedAt),
          time(row.expiresAt),
          state !== 'expired' &&
            confirmed('End', 'Users no longer see it.', {
              formToken,
              action: '/announcements/expire',
              fields: { id: row.id },
              about: row.title,
            }),
        ];
      }),
    )}
        ${links}
        <h2>Publish</h2>
        <form class="sheet wide" method="post" action="/console/announcements/publish">
          ${hidden(tools)} ${field('Title', 'title', html`required maxlength="150"`)}
          ${field('Summary', 'summary', html`maxlength="500"`, 'One or two sentences; may be empty.')}
          <label
            ><span>Text</span><textarea name="body" rows="8" required maxlength="50000"></textarea>
          </label>
          ${select(
            'Format',
            'bodyFormat',
            bodyFormats.map((format) => [format, format]),
            'markdown',
          )}
          ${field('Publish at (UTC)', 'publishedAt', html`type="datetime-local"`, 'Empty: now.')}
          ${field('Expires at (UTC)', 'expiresAt', html`type="datetime-local"`, 'Empty: never.')}
          <button>Publish</button>
        </form>`,
  };
});

/** `2026-09-16T12:00` of a form, which has no zone: UTC. */
const timeSchema = z.union(
  [
    z.literal('').transform(() => null),
    z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/)
      .transform((text) => `${text}:00Z`)
      .pipe(z.iso.datetime())
      .pipe(z.coerce.date()),
  ],
  'must be a time or empty',
);

const publish = consoleAction({
  path: '/announcements/publish',
  form: z.object({
    title: z.string().max(150),
    summary: z.string().max(500),
    body: z.string().max(50_000),
    bodyFormat: z.enum(bodyFormats),
    publishedAt: timeSchema,
    expiresAt: timeSchema,
  }),
  audit: 'announcement publish',
  run: async ({ change, clock }, { summary, publishedAt, expiresAt, ...given }) => {
    const now = clock.now();
    // Nothing goes before what users may have acknowledged already.
    if (publishedAt !== null && publishedAt < now)
      throw new DomainError('INVALID_INPUT', {}, 'The time of publication must not be in the past.');
    const draft = announcementDraftSchema.safeParse({
      ...given,
      summary: summary.trim() === '' ? null : summary,
      publishedAt: publishedAt ?? now,
      expiresAt,
    });
    if (!draft.success) {
      const problems = draft.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
      throw new DomainError('INVALID_INPUT', {}, `${problems.join('; ')}.`);
    }
    await change(async (tx, trail) => {
      const made = await publishAnnouncement(tx, { clock }, draft.data);
      trail.created('announcement', made.id);
    });
    return { notice: 'The announcement is stored.', to: '/announcements' };
  },
});

const expire = actionOf(expireAnnouncementVerb, {
  path: '/announcements/expire',
  audit: 'announcement expire',
  to: '/announcements',
});

export default defineSection({
  name: 'announcements',
  label: 'Announcements',
  order: 9,
  pages: [list],
  actions: [publish, expire],
});
