import { z } from 'zod';
import { maxId, versionField } from '#domain/fields/index.ts';
import { returnField } from '#domain/fields/deletion.ts';
import { lastDownloadedAtField, rowKeyFields } from '#domain/flight-data/fields.ts';
import { flightDataRepo } from '#store/postgres/flight-data/flight-data.ts';
import {
  flightDataErrors,
  flightDataNotFound,
  flightDataSaveErrors,
  saveFlightData,
  savedSchema,
} from './common/flight-data.ts';
import { writableOfp } from '../ofp/common/ofp.ts';
import { defineQuery } from '../../define.ts';

/** Cannot occur: the section exists already. */
const { FLIGHT_DATA_FULL: _full, FLIGHT_DATA_DELETED: _deleted, ...restoreErrors } = flightDataSaveErrors;

export default defineQuery({
  name: 'flightDataRestore',
  spec: ['2.3', '4.2'],
  summary:
    'Saves the payload of an earlier version of a section as its newest version, even after a deletion; the history remains.',
  errors: {
    ...flightDataErrors,
    ...flightDataNotFound,
    ...restoreErrors,
    VERSION_NOT_FOUND: { status: 404, message: 'The history has no payload of this version.' },
  },
  input: z.strictObject({
    ...rowKeyFields(),
    version: z.int('INVALID_FIELD').min(1, 'INVALID_FIELD').max(maxId, 'INVALID_FIELD'),
    expectedVersion: versionField(),
    lastDownloadedAt: lastDownloadedAtField(),
    return: returnField(),
  }),
  output: z.strictObject(savedSchema),
  // Usually one statement, which needs no transaction.
  tx: 'manual',
  example: { ofpId: 'OFP-7K3MXQ2VHT5B9RDW4CFJ', dataKey: 'fuel', version: 2, expectedVersion: 5 },
  handler: async ({ input: { version, return: returned, ...input }, ...tools }) => {
    const { caller, db, now, fail } = tools;
    const call = { ...input, userId: caller.userId, now };
    await writableOfp(db, call);
    const found = await flightDataRepo(db).version(call, version);
    if (!found) throw fail('FLIGHT_DATA_NOT_FOUND');
    if (!found.payload) throw fail('VERSION_NOT_FOUND');
    return saveFlightData(tools, { ...input, now, payload: found.payload }, returned);
  },
});
