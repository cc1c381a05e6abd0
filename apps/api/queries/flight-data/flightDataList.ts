import { z } from 'zod';
import { flightDataHeadSchema, flightDataHeadView } from '#domain/flight-data/flight-data.ts';
import { ofpIdField } from '#domain/ofp/id.ts';
import { flightDataRepo } from '#data/postgres/flight-data/flight-data.ts';
import { readable } from '../ofp/common/access.ts';
import { ofpErrors } from '../ofp/common/errors.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'flightDataList',
  get: { maxAgeSeconds: 0 },
  spec: ['2.3', '4.2'],
  summary: 'The sections of data that are kept with a flight plan, by dataKey, without their payloads.',
  auth: 'jwt',
  devKey: null,
  dialect: 'flat',
  errors: { ...ofpErrors },
  input: z.object({ ofpId: ofpIdField() }),
  output: z.strictObject({ ofpId: z.string(), count: z.int(), items: z.array(flightDataHeadSchema) }),
  tx: 'read',
  example: { ofpId: 'OFP-7K3MXQ2VHT5B9RDW4CFJ' },
  handler: async ({ input: { ofpId }, caller: { userId }, db, now }) => {
    const rows = readable(await flightDataRepo(db).list({ ofpId, userId, now }));
    return { ofpId, count: rows.length, items: rows.map(flightDataHeadView) };
  },
});
