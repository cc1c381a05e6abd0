import { z } from 'zod';
import { rowKeyFields } from '#domain/flight-data/fields.ts';
import { flightDataWrites } from '#data/postgres/flight-data/flight-data.ts';
import { flightDataErrors, flightDataNotFound } from '../../flight-data/errors.ts';
import { writableOfp } from '../../ofp/access.ts';
import { ofpRightErrors } from '../../ofp/share-errors.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'flightDataDelete',
  spec: ['2.3', '4.2'],
  summary: 'Deletes a section of the data of a flight plan; its history remains, and its versions continue.',
  auth: 'jwt',
  devKey: null,
  dialect: 'flat',
  errors: { ...flightDataErrors, ...flightDataNotFound, ...ofpRightErrors },
  input: z.object(rowKeyFields()),
  output: z.strictObject({ ofpId: z.string(), dataKey: z.string(), deleted: z.literal(true) }),
  tx: 'manual',
  example: { ofpId: 'OFP-7K3MXQ2VHT5B9RDW4CFJ', dataKey: 'fuel' },
  handler: async ({ input, caller: { userId }, db, single, now, fail }) => {
    const call = { ...input, userId, now };
    if (!(await single((tx) => flightDataWrites(tx).delete(call)))) {
      await writableOfp(db, call);
      throw fail('FLIGHT_DATA_NOT_FOUND');
    }
    return { ofpId: input.ofpId, dataKey: input.dataKey, deleted: true as const };
  },
});
