import { z } from 'zod';
import { expectedVersionField, revisionSchema } from '#domain/fields/revision.ts';
import { ofpIdField } from '#domain/ofp/id.ts';
import { ofpRepo } from '#store/postgres/ofp/ofps.ts';
import { ofpWrites } from '#store/postgres/ofp/writes.ts';
import { flightDataRepo } from '#store/postgres/flight-data/flight-data.ts';
import { shareWrites } from '#store/postgres/ofp/shares.ts';
import { ofpErrors, ofpOwnerErrors, ownOfp } from './common/ofp.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'ofpDelete',
  spec: ['2.3', '4.2', 'G-06'],
  summary: 'Deletes a flight plan of the caller with everything stored for it, and revokes its shares.',
  errors: {
    ...ofpErrors,
    ...ofpOwnerErrors,
    INVALID_FIELD: 400,
    VERSION_CONFLICT: {
      status: 409,
      message: 'Another revision of this plan is stored. Delete it with its revision.',
      extra: z.strictObject({ current: z.strictObject({ ofpId: z.string(), revision: revisionSchema }) }),
    },
  },
  input: z.strictObject({ ofpId: ofpIdField(), expectedVersion: expectedVersionField() }),
  output: z.strictObject({
    ofpId: z.string(),
    deleted: z.boolean(),
    flightDataDeleted: z.int().describe('number of flight-data sections deleted'),
    sharesRevoked: z.int(),
  }),
  tx: 'write',
  example: { ofpId: 'OFP-abcdefghijklmnopqrst' },
  handler: async ({ input: { ofpId, expectedVersion }, caller: { userId }, db, now, fail }) => {
    await ownOfp(db, { ofpId, userId, now });
    const flightDataDeleted = await flightDataRepo(db).count(userId, ofpId);
    // Before the shares, so that none is issued in between.
    if ((await ofpWrites(db).delete(ofpId, userId, expectedVersion)) === 0) {
      const row = await ofpRepo(db).accessible({ ofpId, userId, now });
      if (!row) throw fail('OFP_NOT_FOUND');
      throw fail('VERSION_CONFLICT', { extra: { current: { ofpId, revision: row.revision } } });
    }
    const sharesRevoked = await shareWrites(db).revokeOfPlan(userId, ofpId, now);
    return { ofpId, deleted: true, flightDataDeleted, sharesRevoked };
  },
});
