import { z } from 'zod';
import { idField } from '#domain/fields/index.ts';
import { announcementWrites } from '#store/postgres/announcements/announcements.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'announcementAck',
  spec: ['2.12', '4.7'],
  summary: 'Marks an announcement and all earlier ones as seen by this user, on all devices.',
  errors: {
    MISSING_FIELD: 400,
    INVALID_ID: { status: 400, message: 'id must be the id of an announcement.' },
  },
  input: z.strictObject({ id: idField({ missing: 'MISSING_FIELD', invalid: 'INVALID_ID' }) }),
  output: z.strictObject({}),
  tx: 'write',
  example: { id: 5 },
  handler: async ({ input, caller, db, now }) => {
    await announcementWrites(db).acknowledge(caller.userId, input.id, now);
    return {};
  },
});
