import { z } from 'zod';
import { ofpIdField } from '#domain/ofp/id.ts';
import { ofpWrites } from '#data/postgres/ofp/writes.ts';
import { flightDataRepo } from '#data/postgres/flight-data/flight-data.ts';
import { shareWrites } from '#data/postgres/ofp/shares.ts';
import { ownOfp } from './common/access.ts';
import { ofpErrors } from './common/errors.ts';
import { ofpOwnerErrors } from './common/share-errors.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'ofpDelete',
  spec: ['2.3', '4.2', 'G-06'],
  summary: 'Deletes a flight plan of yours with everything stored for it, and revokes its shares.',
  auth: 'jwt',
  devKey: null,
  dialect: 'flat',
  errors: { ...ofpErrors, ...ofpOwnerErrors },
  input: z.object({ ofpId: ofpIdField() }),
  output: z.strictObject({
    ofpId: z.string(),
    deleted: z.boolean(),
    flightDataDeleted: z.int().describe('sections of flight data'),
    sharesRevoked: z.int(),
  }),
  tx: 'write',
  example: { ofpId: 'OFP-abcdefghijklmnopqrst' },
  handler: async ({ input: { ofpId }, caller: { userId }, db, now, fail }) => {
    await ownOfp(db, { ofpId, userId, now });
    const flightDataDeleted = await flightDataRepo(db).count(userId, ofpId);
    // First, so that no share is issued in between.
    if ((await ofpWrites(db).delete(ofpId, userId)) === 0) throw fail('OFP_NOT_FOUND');
    const sharesRevoked = await shareWrites(db).revokeOfPlan(userId, ofpId, now);
    return { ofpId, deleted: true, flightDataDeleted, sharesRevoked };
  },
});
