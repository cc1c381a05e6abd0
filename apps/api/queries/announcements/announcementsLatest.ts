import { z } from 'zod';
import { announcementOutputSchema, announcementView } from '#domain/announcements/announcement.ts';
import { announcementRepo } from '#store/postgres/announcements/announcements.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'announcementsLatest',
  get: { maxAgeSeconds: 0 },
  spec: ['2.12', '4.7'],
  summary: 'The most recent announcement that is active, published and not expired, or null.',
  dialect: 'bare',
  errors: { AUTH_REQUIRED: 401 },
  output: z.strictObject({ announcement: announcementOutputSchema.nullable() }),
  handler: async ({ caller, db, now }) => {
    const viewer = { userId: caller.userId, now };
    const [latest] = await announcementRepo(db).page(viewer, { limit: 1, before: null });
    if (!latest) return { announcement: null };
    const { seen, ...announcement } = latest;
    return { announcement: announcementView(announcement, seen) };
  },
});
