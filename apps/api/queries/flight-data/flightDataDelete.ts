import { z } from 'zod';
import { expectedVersionField } from '#domain/fields/revision.ts';
import { returnField } from '#domain/fields/deletion.ts';
import { savedRowView } from '#domain/flight-data/flight-data.ts';
import { rowKeyFields } from '#domain/flight-data/fields.ts';
import { flightDataRepo, flightDataWrites } from '#store/postgres/flight-data/flight-data.ts';
import { conflict, flightDataErrors, flightDataNotFound } from './common/flight-data.ts';
import { ofpRightErrors, writableOfp } from '../ofp/common/ofp.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'flightDataDelete',
  spec: ['2.3', '4.2'],
  summary:
    "Deletes a section of a flight plan's data, unless expectedVersion shows that it has changed; its history remains, and its version numbers continue.",
  errors: { ...flightDataErrors, ...flightDataNotFound, ...ofpRightErrors, ...conflict, INVALID_FIELD: 400 },
  input: z.strictObject({
    ...rowKeyFields(),
    expectedVersion: expectedVersionField(),
    return: returnField(),
  }),
  output: z.strictObject({ ofpId: z.string(), dataKey: z.string(), deleted: z.literal(true) }),
  // A single statement needs no transaction.
  tx: 'manual',
  example: { ofpId: 'OFP-7K3MXQ2VHT5B9RDW4CFJ', dataKey: 'fuel' },
  handler: async ({ input, caller: { userId }, db, single, now, fail }) => {
    const call = { ...input, userId, now };
    while (!(await single((tx) => flightDataWrites(tx).delete(call)))) {
      await writableOfp(db, call);
      const found = await flightDataRepo(db).get(call);
      if (!found?.row) throw fail('FLIGHT_DATA_NOT_FOUND');
      // Without an expected version the last call wins, and deletes later changes, too.
      if (input.expectedVersion !== undefined)
        throw fail('VERSION_CONFLICT', { extra: { current: savedRowView(found.row, input.return) } });
    }
    return { ofpId: input.ofpId, dataKey: input.dataKey, deleted: true as const };
  },
});
