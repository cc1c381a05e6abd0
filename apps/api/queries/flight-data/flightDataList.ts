import { z } from 'zod';
import { deletedSectionsField, includeDeletedField, tombstonesSince } from '#domain/fields/deletion.ts';
import {
  deletedSectionView,
  flightDataHeadSchema,
  flightDataHeadView,
} from '#domain/flight-data/flight-data.ts';
import { ofpIdField } from '#domain/ofp/id.ts';
import { flightDataRepo } from '#store/postgres/flight-data/flight-data.ts';
import { ofpErrors, readable } from '../ofp/common/ofp.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'flightDataList',
  get: { maxAgeSeconds: 0 },
  spec: ['2.3', '4.2'],
  summary: 'The data sections stored with a flight plan, by dataKey, without their payloads.',
  errors: { ...ofpErrors, INVALID_FIELD: 400 },
  input: z.strictObject({ ofpId: ofpIdField(), includeDeleted: includeDeletedField() }),
  output: z.strictObject({
    ofpId: z.string(),
    count: z.int(),
    items: z.array(flightDataHeadSchema),
    ...deletedSectionsField,
  }),
  example: { ofpId: 'OFP-7K3MXQ2VHT5B9RDW4CFJ' },
  handler: async ({ input: { ofpId, includeDeleted }, caller: { userId }, db, now }) => {
    const call = { ofpId, userId, now };
    const rows = readable(await flightDataRepo(db).list(call));
    const sections = { ofpId, count: rows.length, items: rows.map(flightDataHeadView) };
    if (includeDeleted !== true) return sections;
    const deleted = await flightDataRepo(db).deleted(call, tombstonesSince(now));
    return { ...sections, deleted: deleted.map(deletedSectionView) };
  },
});
