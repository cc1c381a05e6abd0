import { z } from 'zod';
import { announcementOutputSchema, announcementView } from '#domain/announcements/announcement.ts';
import { idField, limitField } from '#domain/fields/index.ts';
import { announcementRepo } from '#store/postgres/announcements/announcements.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'announcementsList',
  get: { maxAgeSeconds: 0 },
  spec: ['G-40'],
  summary: 'Announcements that are active, published and not expired, the most recent first.',
  dialect: 'bare',
  errors: { INVALID_FIELD: 400 },
  input: z.strictObject({
    limit: limitField({ preset: 20, max: 100 }),
    before: idField().nullish().describe('`id` of the last announcement on the previous page'),
  }),
  output: z.strictObject({
    count: z.int(),
    hasMore: z.boolean(),
    announcements: z.array(announcementOutputSchema),
  }),
  example: { limit: 20 },
  handler: async ({ input: { limit, before = null }, caller: { userId }, db, now }) => {
    const found = await announcementRepo(db).page({ userId, now }, { limit: limit + 1, before });
    const page = found.slice(0, limit);
    return {
      count: page.length,
      hasMore: found.length > limit,
      announcements: page.map(({ seen, ...announcement }) => announcementView(announcement, seen)),
    };
  },
});
