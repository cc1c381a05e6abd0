import { z } from 'zod';
import { requiredTextField } from '#domain/fields/index.ts';
import { isPrintable } from '#domain/text/controls.ts';
import { ofpIdField } from '#domain/ofp/id.ts';
import { ofpWrites } from '#store/postgres/ofp/writes.ts';
import { ofpErrors, ofpOwnerErrors, ownOfp } from './common/ofp.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'ofpRename',
  spec: ['4.2'],
  summary: 'Renames a flight plan of the caller; later imports keep the name.',
  errors: { ...ofpErrors, ...ofpOwnerErrors, MISSING_FIELD: 400, INVALID_FIELD: 400 },
  input: z.strictObject({
    ofpId: ofpIdField(),
    name: requiredTextField(100).refine(isPrintable, 'INVALID_FIELD'),
  }),
  output: z.strictObject({ ofpId: z.string(), name: z.string() }),
  tx: 'write',
  example: { ofpId: 'OFP-abcdefghijklmnopqrst', name: 'Monday to Boston' },
  handler: async ({ input: { ofpId, name }, caller: { userId }, db, now }) => {
    await ownOfp(db, { ofpId, userId, now });
    await ofpWrites(db).rename(ofpId, name);
    return { ofpId, name };
  },
});
