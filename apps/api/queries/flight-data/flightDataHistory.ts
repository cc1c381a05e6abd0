import { z } from 'zod';
import { idField, limitField } from '#domain/fields/index.ts';
import { rowKeyFields } from '#domain/flight-data/fields.ts';
import { flightDataChangeSchema, flightDataChangeView } from '#domain/flight-data/flight-data.ts';
import { flightDataRepo } from '#store/postgres/flight-data/flight-data.ts';
import { flightDataErrors } from './common/flight-data.ts';
import { readable } from '../ofp/common/ofp.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'flightDataHistory',
  spec: ['2.3', '4.2'],
  summary:
    "Saves and deletions of a section of a flight plan's data, newest first: all within the last 7 days, and for each earlier day (UTC) the last save and the last deletion.",
  errors: { ...flightDataErrors, INVALID_FIELD: 400 },
  input: z.strictObject({
    ...rowKeyFields(),
    limit: limitField({ preset: 20, max: 100 }),
    before: idField({ max: Number.MAX_SAFE_INTEGER }).nullish().describe('last `id` on the previous page'),
    includePayload: z.boolean('INVALID_FIELD').nullish(),
  }),
  output: z.strictObject({
    ofpId: z.string(),
    dataKey: z.string(),
    count: z.int(),
    items: z.array(flightDataChangeSchema),
  }),
  example: { ofpId: 'OFP-7K3MXQ2VHT5B9RDW4CFJ', dataKey: 'fuel', limit: 5, includePayload: true },
  handler: async ({ input, caller: { userId }, db, now }) => {
    const { ofpId, dataKey, limit, before = null, includePayload } = input;
    const call = { ofpId, dataKey, userId, now };
    const page = { limit, before, isWithPayload: includePayload === true };
    const changes = readable(await flightDataRepo(db).history(call, page));
    return { ofpId, dataKey, count: changes.length, items: changes.map(flightDataChangeView) };
  },
});
