import { z } from 'zod';
import {
  maxRoleLength,
  presenceIntervalSeconds,
  presenceSeconds,
  presentSchema,
  presentView,
} from '#domain/crew/presence.ts';
import { optionalTextField } from '#domain/fields/index.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { ofpIdField } from '#domain/ofp/id.ts';
import { addSeconds } from '#domain/time.ts';
import { presenceRepo, presenceWrites } from '#store/postgres/crew/crew.ts';
import { ofpErrors, readableOfp } from '../ofp/common/ofp.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'crewPresence',
  spec: ['2.3', '4.2'],
  summary: `Reports that the pilot has this plan open, and returns who else has. Clients repeat it every ${presenceIntervalSeconds} seconds; after ${presenceSeconds} seconds without it a pilot counts as away.`,
  errors: { ...ofpErrors, INVALID_FIELD: 400 },
  input: z.strictObject({
    ofpId: ofpIdField(),
    role: optionalTextField(maxRoleLength),
    leave: z.boolean('INVALID_FIELD').default(false),
  }),
  output: z.strictObject({
    ofpId: z.string(),
    crew: z.array(presentSchema),
    askAgainSeconds: z.int(),
    ...ignoredField,
  }),
  tx: 'write',
  example: { ofpId: 'OFP-7K3MXQ2VHT5B9RDW4CFJ', role: 'Pilot monitoring' },
  handler: async ({ input: { ofpId, role, leave }, caller: { userId }, db, now }) => {
    await readableOfp(db, { ofpId, userId, now });
    const writes = presenceWrites(db);
    await (leave ? writes.left(ofpId, userId) : writes.seen(ofpId, userId, role, now));
    const crew = await presenceRepo(db).present(ofpId, { after: addSeconds(now, -presenceSeconds), now });
    return {
      ofpId,
      crew: crew.map((present) => presentView(present, userId)),
      askAgainSeconds: presenceIntervalSeconds,
    };
  },
});
