import { z } from 'zod';
import { rowKeyFields } from '#domain/flight-data/fields.ts';
import { flightDataRowSchema, flightDataRowView } from '#domain/flight-data/flight-data.ts';
import { flightDataRepo } from '#store/postgres/flight-data/flight-data.ts';
import { flightDataErrors, flightDataNotFound } from './common/flight-data.ts';
import { readable } from '../ofp/common/ofp.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'flightDataGet',
  get: { maxAgeSeconds: 0 },
  spec: ['2.3', '4.2'],
  summary: 'One section of the data of a flight plan, its payload unchanged.',
  errors: { ...flightDataErrors, ...flightDataNotFound },
  input: z.strictObject(rowKeyFields()),
  output: z.strictObject({ data: flightDataRowSchema }),
  example: { ofpId: 'OFP-7K3MXQ2VHT5B9RDW4CFJ', dataKey: 'fuel' },
  handler: async ({ input: { ofpId, dataKey }, caller: { userId }, db, now, fail }) => {
    const { row } = readable(await flightDataRepo(db).get({ ofpId, dataKey, userId, now }));
    if (!row) throw fail('FLIGHT_DATA_NOT_FOUND');
    return { data: flightDataRowView(row) };
  },
});
