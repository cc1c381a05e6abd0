import { z } from 'zod';
import { ofpIdField } from '#domain/ofp/id.ts';
import { ofpWrites } from '#data/postgres/ofp/writes.ts';
import { ofpErrors } from '../../ofp/errors.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'ofpDelete',
  spec: ['2.3', '4.2', 'G-06'],
  summary: 'Deletes a flight plan of yours with everything stored for it.',
  auth: 'jwt',
  devKey: null,
  dialect: 'flat',
  errors: ofpErrors,
  input: z.object({ ofpId: ofpIdField() }),
  output: z.strictObject({ ofpId: z.string(), deleted: z.boolean() }),
  tx: 'write',
  example: { ofpId: 'OFP-abcdefghijklmnopqrst' },
  handler: async ({ input: { ofpId }, caller, db, fail }) => {
    if ((await ofpWrites(db).delete(ofpId, caller.userId)) === 0) throw fail('OFP_NOT_FOUND');
    return { ofpId, deleted: true };
  },
});
